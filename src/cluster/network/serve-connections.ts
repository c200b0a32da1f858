import type { ByteSource } from '../../env/index.ts';
import { type HttpRequest, type ServerResponse, serveHttp } from '../../http/index.ts';
import { type ApiHandler, type ApiResponse, createHeaders } from '../../meta/index.ts';
import type { Connection } from '../../network/index.ts';

/** More than the limits of the API server, which answers with the error. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Serves the API to clients in pods, over HTTP/1.1. */
export const createConnectionHandler =
  (handle: ApiHandler) =>
  (connection: Connection): void => {
    const closed = new AbortController();
    // What the server could not write ends the connection; its requests have handled their own errors.
    void serveHttp(connection, (request) => respond(handle, request, connection, closed.signal))
      .catch(() => {})
      .finally(() => closed.abort());
  };

async function respond(handle: ApiHandler, request: HttpRequest, { remote }: Connection, signal: AbortSignal): Promise<ServerResponse> {
  const { method, target, headers } = request;
  const { body, isTooLarge } = await readBody(request.body);
  const response = await handle({
    method,
    target,
    headers: createHeaders(headers),
    body: isTooLarge ? undefined : body,
    bodyIsTooLarge: isTooLarge,
    acceptsChunks: true,
    signal,
    peer: { address: remote.address },
  });
  return { status: response.status, headers: response.headers.filter(([name]) => name !== 'content-length'), body: bodyOf(response) };
}

async function readBody(source: ByteSource): Promise<{ readonly body: Uint8Array | undefined; readonly isTooLarge: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBodyBytes) return { body: undefined, isTooLarge: true };
    chunks.push(chunk);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return { body: length === 0 ? undefined : body, isTooLarge: false };
}

function bodyOf({ body }: ApiResponse): ServerResponse['body'] {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : encoded(body);
}

async function* encoded(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of body) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
}
