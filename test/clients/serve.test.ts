import { mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpTransport } from '../conformance/http-transport.ts';
import { startServer, tokenFile } from '../servers/start-server.ts';

const admin = { authorization: 'Bearer admin-token', 'content-type': 'application/json', accept: 'application/json' };

async function sendRequest(
  url: string,
  method: string,
  target: string,
  body?: object,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const response = await httpTransport(url)({ method, target, headers: admin, body: body && JSON.stringify(body) });
  let text = '';
  for await (const chunk of response.chunks) text += Buffer.from(chunk).toString();
  return { status: response.status, json: JSON.parse(text) };
}

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: 'v' } });

test('a data folder contains all acknowledged writes after a restart and after a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-data-'));
  const flags = ['--token-auth-file', tokenFile, '--data-dir', folder];
  const first = await startServer(...flags);
  expect((await sendRequest(first.url, 'POST', '/api/v1/namespaces/default/configmaps', configMap('stored'))).status).toBe(201);
  expect(await first.stop()).toBe(0);

  const second = await startServer(...flags);
  const found = await sendRequest(second.url, 'GET', '/api/v1/namespaces/default/configmaps/stored');
  expect(found.json['data']).toEqual({ k: 'v' });
  expect((await sendRequest(second.url, 'POST', '/api/v1/namespaces/default/configmaps', configMap('killed'))).status).toBe(201);
  second.process.kill('SIGKILL');
  await second.stop();

  const third = await startServer(...flags);
  expect((await sendRequest(third.url, 'GET', '/api/v1/namespaces/default/configmaps/killed')).status).toBe(200);
  await third.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a second server on one data folder fails to start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-data-'));
  const first = await startServer('--data-dir', folder);
  await expect(startServer('--data-dir', folder)).rejects.toThrow(/refused: /);
  await first.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['svc', 'kubernetes'])('a pod can be created in default immediately under the names of %s', async (names) => {
  const server = await startServer('--names', names, '--token-auth-file', tokenFile);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect((await sendRequest(server.url, 'POST', '/api/v1/namespaces/default/pods', pod)).status).toBe(201);
  await server.stop();
});

test('without controllers no service account is created, and unknown controller names are rejected', async () => {
  const server = await startServer('--token-auth-file', tokenFile, '--controllers=');
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect(await sendRequest(server.url, 'POST', '/api/v1/namespaces/default/pods', pod)).toMatchObject({
    status: 403,
    json: { message: expect.stringContaining('serviceaccount "default" not found') },
  });
  await server.stop();
  await expect(startServer('--controllers=*,nope')).rejects.toThrow('refused: "nope" is not in the list of known controllers');
});

test('warns about feature gates that will be removed', async () => {
  const server = await startServer('--feature-gates=SidecarContainers=true');
  expect(server.output()).toContain('Setting GA feature gate SidecarContainers=true. It will be removed in a future release.');
  await server.stop();
});

test('an unknown flag is rejected in one line', async () => {
  await expect(startServer('--nope')).rejects.toThrow('refused: Error: unknown flag: --nope');
});

test('a server binds to loopback by default, and warns when it serves others without encryption', async () => {
  const local = await startServer('--insecure');
  expect(new URL(local.url).hostname).toBe('127.0.0.1');
  const open = await startServer('--insecure', '--bind-address', '0.0.0.0');
  await expect.poll(open.output).toContain('warning: tokens and secrets travel unencrypted to 0.0.0.0\n');
  const secure = await startServer('--bind-address', '0.0.0.0');
  expect(local.output() + secure.output()).not.toContain('unencrypted');
  await Promise.all([local.stop(), open.stop(), secure.stop()]);
});

test('SIGTERM closes open watches and ends the process', async () => {
  const server = await startServer('--token-auth-file', tokenFile);
  const watching = await httpTransport(server.url)({
    method: 'GET',
    target: '/api/v1/namespaces?watch=1',
    headers: admin,
    body: undefined,
  });
  const reader = watching.chunks[Symbol.asyncIterator]();
  expect((await reader.next()).done).toBe(false);
  const rest = (async () => {
    for (let next = await reader.next(); !next.done; next = await reader.next());
  })();
  expect(await server.stop()).toBe(0);
  await rest.catch(() => undefined);
});

test('serves HTTP/2 when the client negotiates it', async () => {
  const server = await startServer('--token-auth-file', tokenFile);
  const session = http2.connect(server.url, { rejectUnauthorized: false });
  const status = await new Promise<number>((resolve, reject) => {
    const stream = session.request({ ':path': '/readyz', authorization: 'Bearer admin-token' });
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('error', reject);
    stream.resume();
  });
  expect(status).toBe(200);
  session.close();
  await server.stop();
});

test('an aborted upload creates nothing', async () => {
  const server = await startServer('--token-auth-file', tokenFile);
  const { hostname, port } = new URL(server.url);
  const { connect } = await import('node:tls');
  await new Promise<void>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      socket.write(
        'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nhost: x\r\nauthorization: Bearer admin-token\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"half"}',
      );
      setTimeout(() => {
        socket.destroy();
        resolve();
      }, 50);
    });
  });
  expect((await sendRequest(server.url, 'GET', '/api/v1/namespaces/default/configmaps/half')).status).toBe(404);
  await server.stop();
});
