import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { createMemoryKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

/** A store in which another server has committed each write with an id, and crashed, just before this server sends it. */
function withDeadServer(): TimedKeySpace {
  const space = createMemoryKeySpace(createManualClock());
  const commit = space.commit.bind(space);
  space.commit = async (write) => {
    if (write.requestId !== undefined) await commit(write);
    return commit(write);
  };
  return space;
}

test('answers a repeated write that a server committed before it crashed', async () => {
  const { send } = await startTestCluster({ storage: withDeadServer() });
  const collection = '/api/v1/namespaces/default/configmaps';
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
  const made = await send('POST', collection, body, { 'x-tabplane-attempt-id': 'one' });
  expect([made.status, bodyOf(made)['data']]).toEqual([201, { k: 'v' }]);
  // Another request is rejected as usual.
  expect((await send('POST', collection, body)).status).toBe(409);
});

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, value: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
const mergePatch = { 'content-type': 'application/merge-patch+json' };

test('ignores X-Request-Id, since proxies send one id with many calls', async () => {
  const { send } = await startTestCluster();
  const sendWithId = (method: string, path: string, body?: object, headers = {}) =>
    send(method, path, body, { 'x-request-id': 'same', ...headers });
  const first = await sendWithId('POST', maps, map('a', '1'));
  expect((await sendWithId('POST', maps, map('a', '1'))).status).toBe(409);
  expect((await sendWithId('DELETE', `${maps}/a`)).status).toBe(200);
  expect((await sendWithId('DELETE', `${maps}/a`)).status).toBe(404);
  const second = await sendWithId('POST', maps, map('a', '1'));
  expect(second.status).toBe(201);
  expect(bodyOf(second)['metadata']).not.toMatchObject({ uid: uidOf(first) });
  expect(uidOf(await send('GET', `${maps}/a`))).toBe(uidOf(second));
  for (const value of ['1', '2', '1']) {
    const patched = await sendWithId('PATCH', `${maps}/a`, { data: { value } }, mergePatch);
    expect(bodyOf(patched)['data']).toEqual({ value });
    expect(bodyOf(await send('GET', `${maps}/a`))['data']).toEqual({ value });
  }
});

test('executes an attempt once, and repeats its response while its result is stored', async () => {
  const { send } = await startTestCluster();
  const attempt = (id: string, method: string, path: string, body?: object, headers = {}) =>
    send(method, path, body, { 'x-tabplane-attempt-id': id, ...headers });
  const twice = async (...sent: Parameters<typeof attempt>): Promise<void> => {
    const first = await attempt(...sent);
    expect(first.status, String(first.body)).toBeLessThan(300);
    const second = await attempt(...sent);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
  };
  await twice('1', 'POST', maps, map('a', '1'));
  await twice('2', 'PUT', `${maps}/a`, map('a', '2'));
  await twice('3', 'PATCH', `${maps}/a`, [{ op: 'move', from: '/data/value', path: '/data/moved' }], {
    'content-type': 'application/json-patch+json',
  });
  await twice('4', 'DELETE', `${maps}/a`);
  const labels = { app: 'a' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await twice('5', 'POST', deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: labels }, template },
  });
  await twice('6', 'PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, mergePatch);
  const pods = '/api/v1/namespaces/default/pods';
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  await twice('7', 'POST', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: template.spec });
  await twice('8', 'POST', `${pods}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { name: 'n' } });
  await twice('9', 'POST', `${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
});

test('neither executes again nor repeats the response of an attempt whose result has changed since', async () => {
  const { send } = await startTestCluster();
  const attempt = (id: string, method: string, path: string, body?: object, headers = {}) =>
    send(method, path, body, { 'x-tabplane-attempt-id': id, ...headers });
  await attempt('1', 'POST', maps, map('a', '1'));
  await send('DELETE', `${maps}/a`);
  expect(bodyOf(await attempt('1', 'POST', maps, map('a', '1')))).toMatchObject({ code: 504, reason: 'Timeout' });
  expect((await send('GET', `${maps}/a`)).status).toBe(404);

  await send('POST', maps, map('a', '0'));
  await attempt('2', 'PATCH', `${maps}/a`, { data: { value: '1' } }, mergePatch);
  await attempt('3', 'PATCH', `${maps}/a`, { data: { value: '2' } }, mergePatch);
  expect((await attempt('2', 'PATCH', `${maps}/a`, { data: { value: '1' } }, mergePatch)).status).toBe(504);
  expect(bodyOf(await send('GET', `${maps}/a`))['data']).toEqual({ value: '2' });

  await attempt('4', 'DELETE', `${maps}/a`);
  await send('POST', maps, map('a', '3'));
  expect((await attempt('4', 'DELETE', `${maps}/a`)).status).toBe(504);
  expect((await send('GET', `${maps}/a`)).status).toBe(200);
});

test('does not execute an attempt again whose commit is compacted', async () => {
  const { send, storage } = await startTestCluster();
  const headers = { 'x-tabplane-attempt-id': 'one' };
  const compacted = async (): Promise<void> => {
    const key = '/registry/configmaps/default/a';
    const revision = await storage.revision();
    storage.findCommit = async () => ({ key, revision, isCompacted: true });
  };
  const made = await send('POST', maps, map('a', '1'), headers);
  await compacted();
  const again = await send('POST', maps, map('a', '1'), headers);
  expect([again.status, again.body]).toEqual([made.status, made.body]);

  storage.findCommit = async () => undefined;
  await send('DELETE', `${maps}/a`, undefined, headers);
  await compacted();
  expect(bodyOf(await send('DELETE', `${maps}/a`, undefined, headers))).toMatchObject({ code: 504, reason: 'Timeout' });
});

test('binds an attempt id to user, method, target and body', async () => {
  const { send } = await startTestCluster();
  const attempt = (method: string, path: string, body?: object, headers = {}) =>
    send(method, path, body, { 'x-tabplane-attempt-id': 'same', ...headers });
  await attempt('POST', maps, map('a', '1'));
  expect(bodyOf(await attempt('POST', maps, map('b', '1')))).toMatchObject({ metadata: { name: 'b' } });
  for (const value of ['2', '3']) expect(bodyOf(await attempt('PUT', `${maps}/a`, map('a', value)))).toMatchObject({ data: { value } });
  const other = await attempt('PUT', `${maps}/a`, map('a', '3'), { 'impersonate-user': 'other', 'impersonate-group': 'system:masters' });
  expect(other.status).toBe(200);
  expect((await attempt('POST', maps, map('a', '1'), { 'impersonate-user': 'other', 'impersonate-group': 'system:masters' })).status).toBe(
    409,
  );
});

test('continues a repeated collection deletion where the first one stopped', async () => {
  const { send } = await startTestCluster();
  for (const name of ['a', 'b', 'c']) await send('POST', maps, map(name, '1'));
  const headers = { 'x-tabplane-attempt-id': 'one' };
  await send('DELETE', maps, undefined, headers);
  await send('POST', maps, map('d', '1'));
  expect(bodyOf(await send('DELETE', maps, undefined, headers))['kind']).toBe('ConfigMapList');
  expect((await send('GET', `${maps}/d`)).status).toBe(404);
});

function uidOf(answer: Parameters<typeof bodyOf>[0]): string {
  return (bodyOf(answer) as { readonly metadata: { readonly uid: string } }).metadata.uid;
}
