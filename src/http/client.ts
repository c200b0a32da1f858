import type { ByteStream } from '../env/index.ts';
import { ByteReader } from './byte-reader.ts';
import { type HeaderLines, HttpError, type HttpResponse } from './message.ts';
import { readBody, readHead } from './read-message.ts';
import { writeHead } from './write-message.ts';

export interface ClientRequest {
  readonly method: string;
  readonly target: string;
  /** With `host`; without framing headers. */
  readonly headers: HeaderLines;
  readonly body: Uint8Array | undefined;
}

/** Sends one request over a connection of its own and returns the response; the connection ends with its body. @throws HttpError */
export async function sendHttp(stream: ByteStream, { method, target, headers, body }: ClientRequest): Promise<HttpResponse> {
  const framing: HeaderLines = body || method === 'POST' || method === 'PUT' ? [['Content-Length', String(body?.length ?? 0)]] : [];
  await writeHead(stream.sink, `${method} ${target} HTTP/1.1`, [...headers, ...framing]);
  if (body && body.length > 0) await stream.sink.write(body);
  const reader = new ByteReader(stream.source);
  const { status, headers: answered } = await readFinalHead(reader);
  if (status === 101) {
    const upgraded = { source: reader.rest(), sink: stream.sink, abort: (reason: Error) => stream.abort(reason) };
    return { status, headers: answered, body: empty(), upgraded };
  }
  const close = (): void => void stream.sink.close();
  if (method === 'HEAD' || status === 204 || status === 304) {
    close();
    return { status, headers: answered, body: empty() };
  }
  return {
    status,
    headers: answered,
    body: closeAfter(
      readBody(reader, answered, true, () => {}),
      stream,
    ),
  };
}

/** Skips the interim responses. */
async function readFinalHead(reader: ByteReader): Promise<{ readonly status: number; readonly headers: HeaderLines }> {
  for (;;) {
    const head = await readHead(reader);
    if (!head) throw new HttpError('EOF');
    const [, code] = /^HTTP\/1\.\d (\d{3})/.exec(head.start) ?? [];
    if (code === undefined) throw new HttpError(`malformed HTTP response ${JSON.stringify(head.start)}`);
    const status = Number(code);
    if (status >= 200 || status === 101) return { status, headers: head.headers };
  }
}

async function* closeAfter(body: AsyncIterable<Uint8Array>, stream: ByteStream): AsyncGenerator<Uint8Array> {
  let isComplete = false;
  try {
    yield* body;
    isComplete = true;
  } finally {
    if (isComplete) await stream.sink.close();
    else stream.abort(new Error('the response is not needed any more'));
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
