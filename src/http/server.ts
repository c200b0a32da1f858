import type { ByteSource, ByteStream } from '../env/index.ts';
import { ByteReader } from './byte-reader.ts';
import { type HeaderLines, HttpError, type HttpRequest, headerOf } from './message.ts';
import { readBody, readHead } from './read-message.ts';
import { writeAll, writeChunked, writeHead } from './write-message.ts';

export interface ServerResponse {
  readonly status: number;
  /** Without framing headers, except `Content-Length` of a HEAD response. */
  readonly headers: HeaderLines;
  /** A source is sent in chunks. */
  readonly body: string | Uint8Array | ByteSource | undefined;
  /** With status 101: serves the connection afterwards. */
  readonly serve?: ((stream: ByteStream) => Promise<void>) | undefined;
}

export type HttpHandler = (request: HttpRequest) => Promise<ServerResponse>;

/** Reason phrases of common statuses. */
const phrases: Readonly<Record<number, string>> = {
  101: 'Switching Protocols',
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** A status with its reason phrase: `200 OK`. */
export const statusText = (status: number): string => `${status} ${phrases[status] ?? 'Status'}`;

/** The handler has rejected. */
class HandlerFailure extends Error {
  override readonly name = 'HandlerFailure';
}

/**
 * Serves the requests of one connection, one after the other, until a side ends it or it breaks. A malformed request gets 400.
 * @throws what the handler rejects with, after the connection was closed
 */
export async function serveHttp(stream: ByteStream, handle: HttpHandler): Promise<void> {
  const reader = new ByteReader(stream.source);
  try {
    while (await serveNext(reader, stream, handle));
  } catch (error) {
    if (error instanceof HandlerFailure) throw error.cause;
    // The connection is broken.
    if (!(error instanceof HttpError)) return;
    const headers = [['Content-Type', 'text/plain; charset=utf-8'], connectionClose] as const;
    await writeResponse(stream, 'GET', { status: 400, headers, body: '400 Bad Request' });
  } finally {
    await stream.sink.close();
    await reader.close();
  }
}

const connectionClose = ['Connection', 'close'] as const;

/** False when the connection ends. @throws HttpError */
async function serveNext(reader: ByteReader, stream: ByteStream, handle: HttpHandler): Promise<boolean> {
  const head = await readHead(reader);
  if (!head) return false;
  const [, method, target, minor] = /^(\S+) (\S+) HTTP\/1\.(\d)$/.exec(head.start) ?? [];
  if (method === undefined || target === undefined) throw new HttpError('malformed HTTP request');
  let isRead = false;
  const body = readBody(reader, head.headers, false, () => {
    isRead = true;
  });
  if (/^100-continue$/i.test(headerOf(head.headers, 'expect'))) await writeHead(stream.sink, 'HTTP/1.1 100 Continue', []);
  const response = await handle({ method, target, headers: head.headers, body }).catch((cause: unknown) => {
    throw new HandlerFailure('the handler has rejected', { cause });
  });
  if (response.status === 101 && response.serve) {
    await writeHead(stream.sink, `HTTP/1.1 ${statusText(101)}`, response.headers);
    await response.serve({ source: reader.rest(), sink: stream.sink, abort: (reason) => stream.abort(reason) });
    return false;
  }
  const wanted = headerOf(head.headers, 'connection').toLowerCase();
  const isPersistent = minor === '0' ? wanted === 'keep-alive' : wanted !== 'close';
  await writeResponse(stream, method, isPersistent ? response : { ...response, headers: [...response.headers, connectionClose] });
  // The rest of the body is in front of the next request.
  if (!isRead) for await (const _ of body);
  return isPersistent;
}

async function writeResponse({ sink }: ByteStream, method: string, { status, headers, body }: ServerResponse): Promise<void> {
  const start = `HTTP/1.1 ${statusText(status)}`;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  if (bytes === undefined || bytes instanceof Uint8Array) {
    const length: HeaderLines = status === 204 || status === 304 ? [] : [['Content-Length', String(bytes?.length ?? 0)]];
    await writeHead(sink, start, [...headers, ...length]);
    if (hasBody && bytes) await writeAll(sink, once(bytes));
    return;
  }
  await writeHead(sink, start, [...headers, ['Transfer-Encoding', 'chunked']]);
  if (hasBody) await writeChunked(sink, bytes);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
