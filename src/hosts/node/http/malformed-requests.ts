import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { ApiResponse } from '../../../meta/index.ts';

/** Go's limit of request headers; Node's limit is too small for some tokens. */
const maxHeaderBytes = (1 << 20) + 4096;

/** Delay before a connection is destroyed, since a client that is still sending would lose the response. */
const lingerMs = 500;

/** Rejects malformed requests with the responses of Go's HTTP server. */
export function rejectMalformedRequests(server: Server | Http2SecureServer): void {
  // Node reads this property for each HTTP/1.1 connection, also of an HTTP/2 server.
  Object.assign(server, { maxHeaderSize: maxHeaderBytes });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A client without complete headers in time gets no response.
    if (error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return socket.destroy();
    // Further data of a rejected request is ignored.
    if (socket.writableEnded) return;
    const { status, body } = errorResponseOf(error.code ?? '');
    socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  server.on('checkExpectation', (_: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(417, { connection: 'close', 'content-length': '0' });
    outgoing.end();
  });
}

/**
 * Closes a connection like Go after a response with `connection: close`: it continues reading for a moment. Otherwise data that the client
 * still sends would reset the connection, and the client would lose the response.
 */
export function enableSocketLinger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

interface ErrorResponse {
  readonly status: string;
  readonly body: string;
}

/** The response for an error code of Node's HTTP parser. */
function errorResponseOf(code: string): ErrorResponse {
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return { status: '501 Not Implemented', body: 'Unsupported transfer encoding' };
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  return { status, body: status };
}

/** Responses before the API handler: invalid Host headers, and `OPTIONS *`. */
export function respondBeforeHandler({
  method,
  url,
  rawHeaders,
  httpVersion,
}: IncomingMessage | Http2ServerRequest): (ApiResponse & { readonly reason: string }) | undefined {
  if (httpVersion === '0.9') return badRequest('');
  if (httpVersion.startsWith('1.')) {
    const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
    if (hosts.length > 1) return badRequest('');
    const [host] = hosts;
    if (host === undefined && httpVersion === '1.1') return badRequest(': missing required Host header');
    // Valid host characters, and those that Go allows for old clients.
    if (host !== undefined && !/^[\w!$%&'()*+,;=:[\]~.-]*$/.test(host)) return badRequest(': malformed Host header');
  }
  return method === 'OPTIONS' && url === '*' ? { status: 200, headers: [], body: '', reason: 'OK' } : undefined;
}

function badRequest(why: string): ApiResponse & { readonly reason: string } {
  const reason = `Bad Request${why}`;
  const headers = [
    ['content-type', 'text/plain; charset=utf-8'],
    ['connection', 'close'],
  ] as const;
  return { status: 400, reason, headers, body: `400 ${reason}` };
}

/** The path of a request target; the absolute form of proxies includes scheme and host. */
export function pathOf(target: string): string {
  const [base] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [];
  if (base === undefined) return target;
  const path = target.slice(base.length);
  return path.startsWith('/') ? path : `/${path}`;
}
