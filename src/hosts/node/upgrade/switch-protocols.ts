import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiResponse, ProtocolSwitch } from '../../../meta/index.ts';
import type { Exchange, UpgradableConnection } from '../http/exchange.ts';
import { socketStream } from './socket-stream.ts';
import { acceptWebSocket } from './web-socket.ts';

/** Sends `101 Switching Protocols` and serves the connection with the other protocol, until one side closes it. */
export async function switchProtocols(
  response: ApiResponse,
  upgrade: ProtocolSwitch,
  upgradable: UpgradableConnection,
  exchange: Exchange,
): Promise<void> {
  const { socket, head } = upgradable;
  // Such connections last, like watches: a shutdown does not wait for them.
  exchange.isEventStream = true;
  (exchange.outgoing as ServerResponse).detachSocket(socket as Socket);
  const stop = (): void => void socket.destroy();
  exchange.signal.addEventListener('abort', stop, { once: true });
  try {
    if (upgrade.kind === 'websocket') {
      const webSocket = await acceptWebSocket(upgradable, upgrade.protocol);
      await (webSocket ? upgrade.serve(webSocket) : upgrade.cancel());
    } else if (upgrade.kind === 'port') {
      throw new Error('a socket cannot switch to messages of a port');
    } else {
      socket.write(headOf(response));
      if (head.length > 0) socket.unshift(head);
      await upgrade.serve(socketStream(socket));
    }
  } finally {
    exchange.signal.removeEventListener('abort', stop);
    socket.end();
  }
}

function headOf({ status, headers }: ApiResponse): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}
