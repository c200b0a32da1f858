import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { ApiResponse } from '../../meta/index.ts';

/** Headers may come to this, as Go's server has it; Node's own limit would not take every token. */
const maxHeaderBytes = (1 << 20) + 4096;

/** Who is still sending would lose the answer with the connection. */
const lingerMs = 500;

/** What Go's server refuses before anybody has seen the request is refused here in its words. */
export function refuseLikeGo(server: Server | Http2SecureServer): void {
  // Node reads it from there for each connection of HTTP/1.1, also of a server of HTTP/2.
  Object.assign(server, { maxHeaderSize: maxHeaderBytes });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Who sends no head in time gets no answer.
    if (error.code === 'ECONNRESET' || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return socket.destroy();
    // What goes on coming is refused already.
    if (socket.writableEnded) return;
    const { status, body } = refusalOf(error.code ?? '');
    socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  server.on('checkExpectation', (_: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(417, { connection: 'close', 'content-length': '0' });
    outgoing.end();
  });
}

/**
 * Makes Node end a connection, after an answer that says so, as Go does: it reads on for a moment. What the client still sends would
 * otherwise reset the connection, and the client would lose the answer.
 */
export function socketLinger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

interface Refusal {
  readonly status: string;
  readonly body: string;
}

/** By the code of Node's parser. */
function refusalOf(code: string): Refusal {
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return { status: '501 Not Implemented', body: 'Unsupported transfer encoding' };
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  return { status, body: status };
}

/** What is answered without the API: a host that cannot be, and the question what the whole server can. */
export function answerBefore({
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
    // The characters of a host, and of those that Go lets through for the sake of old clients.
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

/** A proxy's form of a target, with the host in it, means the path alone. */
export function pathOf(target: string): string {
  const [, path] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`;
}
