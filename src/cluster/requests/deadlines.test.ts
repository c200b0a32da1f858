import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { ApiResponse } from '../../meta/index.ts';
import { createMemoryKeySpace, type RangeQuery, type TimedKeySpace } from '../../storage/index.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

/** Whether a call needs the store; other calls use its cache. */
function matchesCall(name: string, words: readonly unknown[]): boolean {
  if (name === 'get') return words[1] === undefined;
  if (name === 'range') return (words[0] as RangeQuery).at === undefined;
  return ['revision', 'commit', 'findCommit'].includes(name);
}

/** A cluster whose store hangs, like a stopped etcd. */
async function hanging(): Promise<TestCluster> {
  let isStopped = false;
  const storage = new Proxy<TimedKeySpace>(createMemoryKeySpace(createManualClock()), {
    get(space, name) {
      const value: unknown = Reflect.get(space, name);
      if (typeof value !== 'function') return value;
      return (...words: readonly unknown[]) =>
        isStopped && matchesCall(String(name), words) ? new Promise(() => {}) : Reflect.apply(value, space, words);
    },
  });
  const running = await startTestCluster({ storage });
  await running.send('POST', maps, { metadata: { name: 'a' } });
  isStopped = true;
  return running;
}

/** The response, and its delay in seconds. */
async function after({ clock }: TestCluster, answer: Promise<ApiResponse>): Promise<readonly [number, ApiResponse]> {
  let come: ApiResponse | undefined;
  void answer.then((response) => {
    come = response;
  });
  for (let seconds = 0; seconds <= 100; seconds++) {
    // Lets pending microtasks complete in between.
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    if (come) return [seconds, come];
    await clock.advance(1_000);
  }
  throw new Error('no answer');
}

const over = {
  status: 504,
  body: '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
};

test.each([
  ['GET', `${maps}/a`, 60],
  ['GET', maps, 60],
  ['GET', `${maps}?limit=5`, 60],
  ['DELETE', `${maps}?labelSelector=x`, 60],
  ['GET', `${maps}/a?timeout=5s`, 5],
  ['GET', `${maps}/a?timeout=0s`, 60],
  ['GET', `${maps}/a?timeout=2m`, 60],
  ['DELETE', `${maps}/a?timeout=5s`, 5],
])('%s %s of a hanging store times out after %s in plain text, before the flow headers', async (method, target, seconds) => {
  const running = await hanging();
  const [waited, { headers, ...answer }] = await after(running, running.send(method, target));
  expect([waited, answer]).toEqual([seconds, over]);
  expect(headers.map(([name]) => name)).toEqual(['audit-id', 'cache-control', 'content-type']);
  expect(headers.at(-1)?.[1]).toBe('text/plain; charset=utf-8');
});

test.each([
  ['POST', maps, { metadata: { name: 'b' } }, 'application/json'],
  ['PUT', `${maps}/a`, { metadata: { name: 'a' } }, 'application/json'],
  ['PATCH', `${maps}/a`, { data: { k: 'v' } }, 'application/merge-patch+json'],
  ['DELETE', `${maps}/a`, undefined, 'application/json'],
] as const)('%s %s in a hanging store times out after 34 seconds with a Status', async (method, target, body, type) => {
  const running = await hanging();
  const [waited, { status, body: text }] = await after(running, running.send(method, target, body, { 'content-type': type }));
  expect([waited, status, JSON.parse(String(text))]).toEqual([
    34,
    504,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
      reason: 'Timeout',
      details: {},
      code: 504,
    },
  ]);
});

test('answers resourceVersion=0 without waiting for a hanging store', async () => {
  const running = await hanging();
  for (const query of ['', '&watch=true', '&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan']) {
    const [waited, { status, body }] = await after(running, running.send('GET', `${maps}?resourceVersion=0&timeoutSeconds=20${query}`));
    expect([waited, status]).toEqual([0, 200]);
    if (typeof body === 'object' && !(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.();
  }
});

test('leaves no timer after an answer in time', async () => {
  const running = await startTestCluster();
  expect((await running.send('GET', maps)).status).toBe(200);
  await running.clock.advance(120_000);
  expect(running.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('the timeouts are settings', async () => {
  const running = await startTestCluster({ timeouts: { requestMs: 5_000, minWatchSeconds: 10 } });
  const { signal } = new AbortController();
  const headers = new Headers({ authorization: 'Bearer admin', 'content-type': 'application/json' });
  const target = '/api/v1/namespaces/default/configmaps';
  let isReceiving = false;
  const receiveBody = (): Promise<void> => {
    isReceiving = true;
    return new Promise(() => {});
  };
  const slow = running.handle({ method: 'POST', target, headers, body: undefined, signal, receiveBody });
  await expect.poll(() => isReceiving).toBe(true);
  await running.clock.advance(5_000);
  expect((await slow).status).toBe(504);
  const { body } = await running.handle({ method: 'GET', target: `${target}?watch=1`, headers, body: undefined, signal });
  const reader = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  const ended = reader.next();
  await running.clock.advance(20_000);
  expect(await ended).toMatchObject({ done: true });
});
