import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createOutbound } from './outbound.ts';

const tls = { authorities: undefined, identity: undefined, serverName: undefined, unverified: false };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, timeoutMs = 5_000) =>
  createOutbound().send({ method: 'POST', url, headers: { 'x-a': 'b' }, body: 'hello', timeoutMs, tls });

test('returns any status as response, with headers and text', async () => {
  const url = await listening(async (request, response) => {
    response.writeHead(418, { 'x-echo': `${request.headers['x-a']}` });
    response.end(`${request.method} ${request.url} ${await text(request)}`);
  });
  expect(await post(`${url}/x?y=z`)).toMatchObject({ status: 418, headers: { 'x-echo': 'b' }, body: 'POST /x?y=z hello' });
});

test("distinguishes refused, timed out and reset connections, with Go's messages", async () => {
  const closedServer = await listening(() => {});
  const port = new URL(closedServer).port;
  const [server] = servers.splice(0);
  await new Promise((resolve) => server?.close(resolve));
  await expect(post(closedServer)).rejects.toMatchObject({
    code: 'unreachable',
    message: `dial tcp 127.0.0.1:${port}: connect: connection refused`,
  });
  // The address, not the name of the host.
  await expect(post(closedServer.replace('127.0.0.1', 'localhost'))).rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`^dial tcp (127\\.0\\.0\\.1|\\[::1\\]):${port}: connect: connection refused$`)),
  });
  await expect(post(await listening(() => {}), 50)).rejects.toMatchObject({
    code: 'timeout',
    message: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  });
  await expect(post(await listening((request) => request.socket.destroy()))).rejects.toMatchObject({ code: 'reset', message: 'EOF' });
});
