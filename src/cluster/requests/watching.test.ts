import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../env/index.ts';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { authenticationDefaults, clusterDefaults, createCluster } from '../index.ts';
import { startTestCluster } from '../test-cluster.test-support.ts';

interface WatchFixture {
  readonly clock: ManualClock;
  readonly send: (method: string, target: string, body?: object) => Promise<{ readonly status: number; readonly body: JsonObject }>;
  /** The events of a watch within `ms`. */
  readonly eventsOf: (target: string, ms: number) => Promise<readonly JsonObject[]>;
}

async function startCluster(): Promise<WatchFixture> {
  const clock = createManualClock();
  const { handle } = await createCluster({
    ...clusterDefaults,
    env: { clock, random: createSeededRandom(1), log: createMemoryLog() },
    storage: createMemoryKeySpace(clock),
    product: productByName('kubernetes'),
    authentication: {
      ...authenticationDefaults,
      tokens: new Map([['admin', { username: 'admin', uid: 'u-admin', groups: ['system:masters'], extra: {} }]]),
    },
    createSigningKey: () => Promise.reject(new Error('no tokens are signed here')),
  });
  const request = (method: string, target: string, body: object | undefined, signal: AbortSignal) =>
    handle({
      method,
      target,
      headers: new Headers({ authorization: 'Bearer admin', 'content-type': 'application/json' }),
      body: body && new TextEncoder().encode(JSON.stringify(body)),
      signal,
    });
  return {
    clock,
    send: async (method, target, body) => {
      const answer = await request(method, target, body, new AbortController().signal);
      return { status: answer.status, body: JSON.parse(String(answer.body)) as JsonObject };
    },
    eventsOf: async (target, ms) => {
      const reader = new AbortController();
      const { body } = await request('GET', target, undefined, reader.signal);
      await clock.advance(ms);
      reader.abort();
      let text = '';
      for await (const chunk of body as AsyncIterable<string>) text += chunk;
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as JsonObject);
    },
  };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const types = (events: readonly JsonObject[]): unknown[] => events.map(({ type }) => type);

test('marks the end of initial events with a bookmark, if bookmarks are allowed', async () => {
  const { send, eventsOf } = await startCluster();
  await send('POST', configMaps, { metadata: { name: 'a' } });
  expect(types(await eventsOf(`${configMaps}?watch=1&timeoutSeconds=1`, 1_000))).toEqual(['ADDED']);
  const events = await eventsOf(`${configMaps}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=0`, 1_000);
  expect(events).toMatchObject([
    { type: 'ADDED' },
    { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
  ]);
});

test('sends the last bookmark two seconds before the end, if there are changes', async () => {
  const { send, eventsOf } = await startCluster();
  const { body } = await send('GET', configMaps);
  const version = (body['metadata'] as JsonObject)['resourceVersion'];
  const watch = `${configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion=${version}`;
  expect(types(await eventsOf(`${watch}&timeoutSeconds=9`, 7_000))).toEqual([]);
  await send('POST', configMaps, { metadata: { name: 'a' } });
  await send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'b' } });
  expect(types(await eventsOf(`${watch}&timeoutSeconds=9`, 6_999))).toEqual(['ADDED']);
  expect(types(await eventsOf(`${watch}&timeoutSeconds=9`, 9_000))).toEqual(['ADDED', 'BOOKMARK']);
});

test('waits three seconds for the version of a watch with initial events', async () => {
  const { eventsOf } = await startCluster();
  const watch = `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999999`;
  expect(await eventsOf(watch, 4_000)).toMatchObject([
    { type: 'ERROR', object: { code: 504, reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } } },
  ]);
});

test('reports an expired timeout only for a watch that needs the newest revision', async () => {
  const { eventsOf } = await startCluster();
  expect(await eventsOf(`${configMaps}?watch=1&timeoutSeconds=-1`, 0)).toMatchObject([
    { type: 'ERROR', object: { code: 500, message: 'context deadline exceeded' } },
  ]);
  expect(await eventsOf(`${configMaps}?watch=1&timeoutSeconds=-1&resourceVersion=0`, 0)).toEqual([]);
});

test.each([
  ['deployments', { spec: { replicas: 0, selector: null } }],
  ['statefulsets', { spec: { replicas: 0, serviceName: '' } }],
  ['replicasets', { spec: { replicas: 0 }, status: { replicas: 0 } }],
  ['daemonsets', { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0' } }, status: { numberReady: 0 } }],
])('a bookmark of %s includes unset required fields', async (resource, shown) => {
  const { eventsOf } = await startCluster();
  const [bookmark] = await eventsOf(`/apis/apps/v1/${resource}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true`, 0);
  expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: shown });
});

test('treats watch=False as no watch, and rejects a continue token for a watch', async () => {
  const { send } = await startCluster();
  expect((await send('GET', `${configMaps}?watch=False`)).body).toMatchObject({ kind: 'ConfigMapList' });
  expect(await send('GET', `${configMaps}?watch=1&continue=x`)).toMatchObject({
    status: 422,
    body: {
      details: {
        causes: [{ field: 'resourceVersionMatch', message: 'Forbidden: resourceVersionMatch is forbidden when continue is provided' }],
      },
    },
  });
});

test('validates a continue token before resourceVersion', async () => {
  const { send } = await startCluster();
  for (const name of ['a', 'b']) await send('POST', configMaps, { metadata: { name } });
  const { body } = await send('GET', `${configMaps}?limit=1`);
  const token = String((body['metadata'] as JsonObject)['continue']);
  expect(JSON.parse(atob(token))).toMatchObject({ v: 'meta.k8s.io/v1', start: '/a\0' });
  const message = async (query: string): Promise<unknown> => (await send('GET', `${configMaps}?${query}`)).body['message'];
  expect(await message(`continue=${token}&resourceVersion=abc`)).toBe('specifying resource version is not allowed when using continue');
  expect(await message('continue=!!!&resourceVersion=abc')).toMatch('illegal base64 data at input byte 0');
  expect(await message('continue=garbage')).toMatch("invalid character '\\u0081' looking for beginning of value");
});

test('selects everything with an empty field selector', async () => {
  const { send } = await startCluster();
  await send('POST', configMaps, { metadata: { name: 'a' } });
  expect((await send('GET', `${configMaps}?fieldSelector=%3D`)).body['items']).toHaveLength(1);
});

test('removes the listener of a watch that has ended from the signal of its request', async () => {
  const { adminApi } = await startTestCluster();
  const { signal } = new AbortController();
  const openWatches = async (): Promise<number> => {
    const { body } = await adminApi({ method: 'GET', target: '/api/v1/pods?watch=1', headers: new Headers(), body: undefined, signal });
    const events = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
    const opened = getEventListeners(signal, 'abort').length;
    await events.return?.();
    return opened;
  };
  const opened = [await openWatches(), await openWatches()];
  expect([opened, getEventListeners(signal, 'abort').length]).toEqual([[1, 1], 0]);
});
