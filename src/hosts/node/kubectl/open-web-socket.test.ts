import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { readText } from '../../../client/index.ts';
import { createMessagePair } from '../../../env/index.ts';
import type { ApiResponse, WebSocketMessage } from '../../../meta/index.ts';
import { openWebSocket } from './open-web-socket.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a server that sends each message back, in the protocol `echo`; paths `/forbidden` are refused. */
async function start(): Promise<string> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/forbidden') return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('message', (data, isBinary) => webSocket.send(isBinary ? data : `${request.headers.authorization} ${data}`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = (url: string, signal = new AbortController().signal): Promise<ApiResponse> => {
  const headers = new Headers({
    authorization: 'Bearer token',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-protocol': 'echo',
  });
  return openWebSocket({ url, headers, agent: undefined, signal });
};

test('messages pass in both directions with the headers of the request, until the client closes the connection', async () => {
  const { status, upgrade } = await open(`${await start()}/open`);
  expect([status, upgrade]).toMatchObject([101, { kind: 'websocket', protocol: 'echo' }]);
  if (upgrade?.kind !== 'websocket') return;
  const [server, client] = createMessagePair<WebSocketMessage>();
  const served = upgrade.serve(server);
  await client.send('text');
  await client.send(Uint8Array.of(1, 2));
  const received: unknown[] = [];
  for await (const message of client.messages) {
    received.push(typeof message === 'string' ? message : [...message]);
    if (received.length === 2) await client.close();
  }
  await served;
  expect(received).toEqual(['Bearer token text', [1, 2]]);
});

test('a refusal is the response, and a server that cannot be reached an error', async () => {
  const url = await start();
  const { status, body } = await open(`${url}/forbidden`);
  expect([status, await readText(body)]).toEqual([403, 'no']);
  await expect(open('http://127.0.0.1:1/')).rejects.toThrow('dial tcp 127.0.0.1:1: connect: connection refused');
});
