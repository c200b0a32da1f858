import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { UpgradableConnection } from '../http/exchange.ts';
import { rejectMalformedRequests } from '../http/malformed-requests.ts';

/** The protocols that some request of the API can switch to. */
const switchable: ReadonlySet<string> = new Set(['websocket', 'spdy/3.1']);

/**
 * Calls `handle` for requests whose connection can switch to another protocol. All other requests with the header Upgrade (HTTP/2 without
 * TLS, and those with a body) are ordinary requests. Node releases the connection for those too, so they are parsed again without the
 * header, as requests of a server of its own.
 */
export function listenForUpgrades(server: Server | Http2SecureServer, handle: (upgradable: UpgradableConnection) => void): void {
  const plain = createServer({ requireHostHeader: false, keepAliveTimeout: 0 });
  rejectMalformedRequests(plain);
  plain.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => server.emit('request', incoming, outgoing));
  plain.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => server.emit('checkContinue', incoming, outgoing));
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (canSwitch(incoming)) return handle({ incoming, socket, head });
    socket.unshift(Buffer.concat([headWithoutUpgrade(incoming), head]));
    plain.emit('connection', socket as Socket);
  });
}

function canSwitch({ headers }: IncomingMessage): boolean {
  const { upgrade = '', 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return switchable.has(upgrade.toLowerCase()) && length === '0' && encoding === undefined;
}

/** The head of a request as it was sent, without the header Upgrade. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** The response of a request that stays with HTTP. The connection is closed after it. */
export function responseOf({ incoming, socket }: UpgradableConnection): ServerResponse {
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => {
    response.detachSocket(socket as Socket);
    socket.end();
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => response.destroy());
  return response;
}
