import { expect, test } from 'vitest';
import { bodyOf, passTime, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

async function withMaps(running: Promise<TestCluster>): Promise<TestCluster> {
  const cluster = await running;
  for (const name of ['a', 'b', 'c']) await cluster.send('POST', maps, { metadata: { name } });
  return cluster;
}

async function firstEvents({ send }: TestCluster, query: string): Promise<string> {
  const { body } = await send('GET', `${maps}?watch=1&${query}`);
  if (typeof body !== 'object' || body instanceof Uint8Array) throw new Error('no stream');
  const iterator = body[Symbol.asyncIterator]();
  const { value } = await iterator.next();
  await iterator.return?.();
  return String(value);
}

test('serves resourceVersion=0 whole from the cache, and in pages from the store', async () => {
  const items = async (watchCache: boolean): Promise<number> => {
    const { send } = await withMaps(startTestCluster({ watchCache }));
    return (bodyOf(await send('GET', `${maps}?resourceVersion=0&limit=2`))['items'] as unknown[]).length;
  };
  expect([await items(true), await items(false)]).toEqual([3, 2]);
});

test('rejects a future version at once without the cache, without retryAfterSeconds', async () => {
  const { send } = await withMaps(startTestCluster({ watchCache: false }));
  const answer = await send('GET', `${maps}?resourceVersion=100000`);
  expect(answer.status).toBe(504);
  expect(bodyOf(answer)['details']).toEqual({ causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] });
});

test.each([
  ['GET', ''],
  ['GET', '&limit=2'],
  ['GET', '&resourceVersionMatch=Exact'],
  ['DELETE', ''],
])('%s of a future version%s waits for the cache, and is to be repeated after a second', async (method, more) => {
  const { send, clock } = await withMaps(startTestCluster());
  const answering = send(method, `${maps}?resourceVersion=100000${more}`);
  await passTime(clock, 4);
  const answer = await answering;
  expect(answer.status).toBe(504);
  expect(bodyOf(answer)['details']).toMatchObject({ retryAfterSeconds: 1 });
});

test.each(['&limit=1', '&resourceVersionMatch=Exact'])('a future version of a single object%s is an error at once', async (more) => {
  const { send } = await withMaps(startTestCluster());
  const answer = await send('GET', `${maps}?fieldSelector=metadata.name%3Da&resourceVersion=100000${more}`);
  expect(bodyOf(answer)['details']).toEqual({ causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] });
});

test('a watch of a future version with initial events ends at once without the cache, to be repeated after one to three seconds', async () => {
  const cluster = await withMaps(startTestCluster({ watchCache: false }));
  const event = await firstEvents(cluster, 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=100000');
  const { type, object } = JSON.parse(event);
  expect([type, object.code, object.details.causes[0].reason]).toEqual(['ERROR', 504, 'ResourceVersionTooLarge']);
  expect([1, 2, 3]).toContain(object.details.retryAfterSeconds);
});

test('marks the end of initial events with a bookmark for watches that allow bookmarks, while the gate WatchList is on', async () => {
  const on = await withMaps(startTestCluster());
  expect(await firstEvents(on, 'allowWatchBookmarks=true')).toContain('"k8s.io/initial-events-end":"true"');
  expect(await firstEvents(on, '')).not.toContain('BOOKMARK');
  const off = await withMaps(startTestCluster({}, 'WatchList=false'));
  expect(await firstEvents(off, 'allowWatchBookmarks=true')).not.toContain('BOOKMARK');
});

test('rejects sendInitialEvents without the gate WatchList', async () => {
  const { send } = await startTestCluster({}, 'WatchList=false');
  const answer = await send('GET', `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
  expect([answer.status, bodyOf(answer)['message']]).toEqual([
    422,
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  ]);
});

test('compresses nothing without the gate APIResponseCompression', async () => {
  const encodingOf = async (gates: string): Promise<string | undefined> => {
    const { send } = await startTestCluster({}, gates);
    await send('POST', maps, { metadata: { name: 'big' }, data: { k: 'x'.repeat(200_000) } });
    const { headers } = await send('GET', `${maps}/big`, undefined, { 'accept-encoding': 'gzip' });
    return headers.find(([name]) => name === 'content-encoding')?.[1];
  };
  expect([await encodingOf(''), await encodingOf('APIResponseCompression=false')]).toEqual(['gzip', undefined]);
});
