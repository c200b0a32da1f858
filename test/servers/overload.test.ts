import { readFileSync } from 'node:fs';
import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from './start-server.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const admin = { authorization: 'Bearer admin-token' };
const objects = 800;
/** One list, in bytes. */
const listBytes = objects * 4_000;
const megabyte = 1024 * 1024;

interface ListResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

async function connect(url: string, settings: http2.Settings = {}): Promise<ClientHttp2Session> {
  const session = http2.connect(url, { rejectUnauthorized: false, settings });
  session.on('error', () => undefined);
  await new Promise((resolve) => session.once('remoteSettings', resolve));
  return session;
}

function send(session: ClientHttp2Session, headers: http2.OutgoingHttpHeaders, body?: string): Promise<ListResponse> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ...admin, ...headers });
    let [answered, bytes]: [IncomingHttpHeaders, number] = [{}, 0];
    stream.on('response', (received) => {
      answered = received;
    });
    stream.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    stream.on('end', () => resolve({ status: Number(answered[':status']), headers: answered, bytes }));
    stream.on('error', reject);
    stream.end(body);
  });
}

async function withLargeCollection(...flags: readonly string[]): Promise<StartedServer> {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, ...flags);
  const session = await connect(server.url);
  const data = { text: 'x'.repeat(4_000) };
  const post = { ':method': 'POST', ':path': collection, 'content-type': 'application/json' };
  const create = (at: number): Promise<ListResponse> =>
    send(session, post, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m${at}` }, data }));
  for (let at = 0; at < objects; at += 50) await Promise.all(Array.from({ length: 50 }, (_, offset) => create(at + offset)));
  // Warms up the code that the first list initializes.
  expect((await send(session, { ':path': collection })).bytes).toBeGreaterThan(listBytes);
  session.destroy();
  return server;
}

/** The peak memory of a process so far, in bytes. */
function peakBytes({ process }: StartedServer): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Requests many lists concurrently on each of several connections, without reading the responses. */
async function requestLists(
  url: string,
  { connections, each, settings = {} }: { connections: number; each: number; settings?: http2.Settings },
): Promise<readonly ClientHttp2Session[]> {
  const sessions = await Promise.all(Array.from({ length: connections }, () => connect(url, settings)));
  for (const session of sessions)
    for (let count = 0; count < each; count++) {
      const stream = session.request({ ...admin, ':path': collection });
      stream.on('error', () => undefined);
      stream.pause();
    }
  return sessions;
}

test('a hundred large lists with disconnected clients use little memory, and others are served', async () => {
  const server = await withLargeCollection();
  const before = peakBytes(server);
  const other = await connect(server.url);
  for (let round = 0; round < 3; round++) {
    const sessions = await requestLists(server.url, { connections: 4, each: 25 });
    // The server has received the lists once it answers a later request on the same connection.
    await Promise.all(sessions.map((session) => send(session, { ':path': '/version' })));
    for (const session of sessions) session.destroy();
    expect((await send(other, { ':path': '/readyz' })).status).toBe(200);
  }
  expect(peakBytes(server) - before).toBeLessThan((100 * listBytes) / 2);
  other.destroy();
  expect(await server.stop()).toBe(0);
});

test('a hundred stalled readers of large lists use little memory each, and others are served', async () => {
  const server = await withLargeCollection();
  const before = peakBytes(server);
  const sessions = await requestLists(server.url, { connections: 4, each: 25, settings: { initialWindowSize: 1_000 } });
  const other = await connect(server.url);
  for (let count = 0; count < 20; count++) expect((await send(other, { ':path': '/readyz' })).status).toBe(200);
  expect((await send(other, { ':path': collection })).bytes).toBeGreaterThan(listBytes);
  expect(peakBytes(server) - before).toBeLessThan(100 * megabyte);
  for (const session of [...sessions, other]) session.destroy();
  expect(await server.stop()).toBe(0);
});

test('requests above the limit get 429, requests of administrators are served', async () => {
  const server = await withLargeCollection('--max-requests-inflight', '2', '--enable-priority-and-fairness=false');
  const bind = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'everybody' } };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const session = await connect(server.url, { initialWindowSize: 1_000 });
  const bindings = {
    ':method': 'POST',
    ':path': '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    'content-type': 'application/json',
  };
  const subjects = [{ kind: 'Group', name: 'system:authenticated', apiGroup: 'rbac.authorization.k8s.io' }];
  expect((await send(session, bindings, JSON.stringify({ ...bind, roleRef, subjects }))).status).toBe(201);
  const bob = { authorization: 'Bearer bob-token' };
  const statuses: number[] = [];
  const streams = Array.from({ length: 3 }, () => session.request({ ...bob, ':path': collection }));
  for (const stream of streams) {
    stream.on('response', (headers) => statuses.push(Number(headers[':status'])));
    stream.pause();
  }
  await expect.poll(() => statuses.length).toBe(3);
  expect(statuses.sort()).toEqual([200, 200, 429]);
  const rejected = await send(session, { ...bob, ':path': '/version' });
  expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1']);
  expect((await send(session, { ':path': '/version' })).status).toBe(200);
  for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL);
  await expect.poll(async () => (await send(session, { ...bob, ':path': '/version' })).status).toBe(200);
  session.destroy();
  expect(await server.stop()).toBe(0);
});
