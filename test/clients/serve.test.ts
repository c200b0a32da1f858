import { mkdtempSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { httpTransport } from '../conformance/http-transport.ts';
import { startServer, tokenFile } from '../servers/start-server.ts';

const admin = { authorization: 'Bearer admin-token', 'content-type': 'application/json', accept: 'application/json' };

async function ask(
  url: string,
  method: string,
  target: string,
  body?: object,
): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
  const answer = await httpTransport(url)({ method, target, headers: admin, body: body && JSON.stringify(body) });
  let text = '';
  for await (const chunk of answer.chunks) text += Buffer.from(chunk).toString();
  return { status: answer.status, json: JSON.parse(text) };
}

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k: 'v' } });

test('what a data folder was told is there after a restart and after a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-data-'));
  const flags = ['--token-auth-file', tokenFile, '--data-dir', folder];
  const first = await startServer(...flags);
  expect((await ask(first.url, 'POST', '/api/v1/namespaces/default/configmaps', configMap('kept'))).status).toBe(201);
  expect(await first.stop()).toBe(0);

  const second = await startServer(...flags);
  const found = await ask(second.url, 'GET', '/api/v1/namespaces/default/configmaps/kept');
  expect(found.json['data']).toEqual({ k: 'v' });
  expect((await ask(second.url, 'POST', '/api/v1/namespaces/default/configmaps', configMap('killed'))).status).toBe(201);
  second.process.kill('SIGKILL');
  await second.stop();

  const third = await startServer(...flags);
  expect((await ask(third.url, 'GET', '/api/v1/namespaces/default/configmaps/killed')).status).toBe(200);
  await third.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('two servers on one folder are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-data-'));
  const first = await startServer('--data-dir', folder);
  await expect(startServer('--data-dir', folder)).rejects.toThrow(/refused: /);
  await first.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['svc', 'kubernetes'])('a pod may be created in default at once under the names of %s', async (names) => {
  const server = await startServer('--names', names, '--token-auth-file', tokenFile);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect((await ask(server.url, 'POST', '/api/v1/namespaces/default/pods', pod)).status).toBe(201);
  await server.stop();
});

test('without controllers no account appears, and names that no controller has are refused', async () => {
  const server = await startServer('--token-auth-file', tokenFile, '--controllers=');
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect(await ask(server.url, 'POST', '/api/v1/namespaces/default/pods', pod)).toMatchObject({
    status: 403,
    json: { message: expect.stringContaining('serviceaccount "default" not found') },
  });
  await server.stop();
  await expect(startServer('--controllers=*,nope')).rejects.toThrow('refused: "nope" is not in the list of known controllers');
});

test('gates that will be removed are warned of', async () => {
  const server = await startServer('--feature-gates=SidecarContainers=true');
  expect(server.said()).toContain('Setting GA feature gate SidecarContainers=true. It will be removed in a future release.');
  await server.stop();
});

test('a flag that nobody knows is refused in one line', async () => {
  await expect(startServer('--nope')).rejects.toThrow('refused: Error: unknown flag: --nope');
});

test('a server is for this machine alone unless told, and warns when others may listen in', async () => {
  const own = await startServer('--insecure');
  expect(new URL(own.url).hostname).toBe('127.0.0.1');
  const open = await startServer('--insecure', '--bind-address', '0.0.0.0');
  await expect.poll(open.said).toContain('warning: tokens and secrets travel unencrypted to 0.0.0.0\n');
  const secure = await startServer('--bind-address', '0.0.0.0');
  expect(own.said() + secure.said()).not.toContain('unencrypted');
  await Promise.all([own.stop(), open.stop(), secure.stop()]);
});

test('SIGTERM ends open watches and the process', async () => {
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

test('HTTP/2 is spoken to who asks for it', async () => {
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

test('an upload that breaks off leaves nothing', async () => {
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
  expect((await ask(server.url, 'GET', '/api/v1/namespaces/default/configmaps/half')).status).toBe(404);
  await server.stop();
});
