import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { httpTransport } from '../conformance/http-transport.ts';
import { type StartedServer, startServer, tokenFile } from './start-server.ts';

const admin = { authorization: 'Bearer admin-token' };

async function send(
  server: StartedServer,
  target: string,
  method = 'GET',
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { ...admin, ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await httpTransport(server.url)({ method, target, headers, body: body && JSON.stringify(body) });
  let text = '';
  for await (const chunk of answer.chunks) text += Buffer.from(chunk).toString();
  return { status: answer.status, text };
}

const waitForExit = ({ process }: StartedServer): Promise<number | null> =>
  new Promise((resolve) => {
    if (process.exitCode !== null) resolve(process.exitCode);
    else process.once('exit', resolve);
  });

test('during the shutdown delay a server is live but not ready, and serves requests', async () => {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--shutdown-delay-duration', '3s');
  const ended = waitForExit(server);
  server.process.kill('SIGTERM');
  await expect.poll(async () => (await send(server, '/readyz')).status).toBe(500);
  expect((await send(server, '/readyz')).text).toContain('[-]shutdown failed: reason withheld\n');
  expect((await send(server, '/livez')).status).toBe(200);
  const metadata = { name: 'late' };
  expect((await send(server, '/api/v1/namespaces/default/configmaps', 'POST', { metadata })).status).toBe(201);
  expect(await ended).toBe(0);
  expect(server.output()).not.toContain('changes nothing here');
  await server.stop();
});

test('a pending request is answered before the exit', async () => {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile);
  const ended = waitForExit(server);
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', rejectUnauthorized: false });
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = ['POST /api/v1/namespaces/default/configmaps HTTP/1.1', 'Host: x', 'Authorization: Bearer admin-token'];
  socket.write([...head, 'Content-Type: application/json', 'Expect: 100-continue', `Content-Length: ${body.length}`, '', ''].join('\r\n'));
  await expect.poll(() => received).toContain('100 Continue');
  server.process.kill('SIGTERM');
  await expect
    .poll(() =>
      send(server, '/livez').then(
        () => 'accepted',
        () => 'refused',
      ),
    )
    .toBe('refused');
  socket.write(body);
  await closed;
  expect(received).toContain('HTTP/1.1 201 Created\r\n');
  expect(received.toLowerCase()).toContain('connection: close\r\n');
  expect(await ended).toBe(0);
  await server.stop();
});

test('with --shutdown-send-retry-after late requests get 429', async () => {
  const flags = ['--names', 'kubernetes', '--token-auth-file', tokenFile, '--shutdown-send-retry-after'];
  const server = await startServer(...flags);
  const ended = waitForExit(server);
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', rejectUnauthorized: false });
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
  });
  const head = ['DELETE /api/v1/namespaces/default/configmaps/a HTTP/1.1', 'Host: x', 'Authorization: Bearer admin-token'];
  socket.write([...head, 'Expect: 100-continue', 'Content-Length: 2', '', ''].join('\r\n'));
  await expect.poll(() => received).toContain('100 Continue');
  server.process.kill('SIGTERM');
  await expect.poll(async () => (await send(server, '/version')).status).toBe(429);
  expect((await send(server, '/version')).text).toBe('The apiserver is shutting down, please try again later.\n');
  expect((await send(server, '/livez')).status).toBe(200);
  socket.write('{}');
  expect(await ended).toBe(0);
  expect(received).toContain('HTTP/1.1 404 Not Found\r\n');
  await server.stop();
});

test('a second signal stops a server immediately', async () => {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--shutdown-delay-duration', '10m');
  const ended = waitForExit(server);
  server.process.kill('SIGTERM');
  await expect.poll(async () => (await send(server, '/readyz')).status).toBe(500);
  server.process.kill('SIGTERM');
  expect(await ended).toBe(1);
  await server.stop();
});
