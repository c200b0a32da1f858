import { expect, test } from 'vitest';
import { changeClusterTime, followTime } from '../../client/index.ts';
import { createManualClock, type ManualClock, type TimeState } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { copyKeySpace, createMemoryKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { RuntimeTime } from '../index.ts';

interface Opened {
  readonly host: ManualClock;
  readonly storage: TimedKeySpace;
  readonly time: RuntimeTime;
  readonly api: ApiHandler;
}

const noApi: ApiHandler = () => Promise.resolve({ status: 404, headers: [], body: 'the API' });

async function open(host: ManualClock = createManualClock(), stored?: TimedKeySpace): Promise<Opened> {
  const time = new RuntimeTime(host);
  const storage = stored ?? createMemoryKeySpace(time.clock);
  await time.load(storage);
  return { host, storage, time, api: time.wrapHandler(noApi, storage) };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

const send = (api: ApiHandler, method: string, target: string, body?: string): ReturnType<ApiHandler> =>
  api({
    method,
    target,
    headers: new Headers(),
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    signal: new AbortController().signal,
  });

test('dates follow the changes; durations and timers are those of the host', async () => {
  const { host, time, api } = await open();
  const startMs = time.clock.nowMs();
  await changeClusterTime(api, { speed: 0 });
  await host.advance(5_000);
  expect([time.clock.nowMs() - startMs, time.clock.monotonicMs()]).toEqual([0, 5_000]);
  await changeClusterTime(api, { speed: 10 });
  let firedMs = 0;
  time.clock.schedule(1_000, () => {
    firedMs = host.monotonicMs();
  });
  await host.advance(2_000);
  expect([time.clock.nowMs() - startMs, firedMs]).toEqual([20_000, 6_000]);
  await changeClusterTime(api, { stepMs: 10_000 });
  await host.advance(60_000);
  expect(time.clock.nowMs() - startMs).toBe(30_000);
});

test('is stored with the cluster, and continues after it was opened again and in a copy', async () => {
  const { host, storage, time, api } = await open();
  await changeClusterTime(api, { speed: 0 });
  const pausedMs = time.clock.nowMs();
  await host.advance(3_600_000);
  expect((await open(host, storage)).time.clock.nowMs()).toBe(pausedMs);
  const copy = createMemoryKeySpace(host, await copyKeySpace(storage));
  expect((await open(host, copy)).time.clock.nowMs()).toBe(pausedMs);
});

test('reports every change to its followers, at first the present state', async () => {
  const { host, api, time } = await open();
  const states: TimeState[] = [];
  const ending = new AbortController();
  const following = followTime({ api, clock: host }, (state) => states.push(state), ending.signal);
  await settle();
  await changeClusterTime(api, { speed: 10 });
  await host.advance(1_000);
  await Promise.all([changeClusterTime(api, { speed: 0 }), changeClusterTime(api, { speed: 1 })]);
  await settle();
  expect(states.map(({ speed }) => speed)).toEqual([1, 10, 0, 1]);
  expect(states.at(-1)?.clusterMs).toBe(host.nowMs() + 9_000);
  // The host is replaced: a new response begins with the present state.
  time.close();
  await settle();
  await host.advance(1_000);
  await settle();
  expect(states.length).toBe(5);
  expect(states.at(-1)).toEqual(states.at(-2));
  ending.abort();
  await following;
});

test('a server without a time ends the following', async () => {
  const states: TimeState[] = [];
  await followTime({ api: noApi, clock: createManualClock() }, (state) => states.push(state), new AbortController().signal);
  expect(states).toEqual([]);
});

test('refuses other changes, and changes nothing', async () => {
  const { api, storage } = await open();
  const wrong = [
    '',
    '{}',
    '{"speed":-1}',
    '{"speed":11}',
    '{"speed":"1"}',
    '{"stepMs":0}',
    '{"speed":1,"stepMs":1}',
    '{"speed":1,"x":1}',
    'null',
  ];
  for (const body of wrong) expect((await send(api, 'PUT', '/~time', body)).status, body).toBe(422);
  expect((await send(api, 'POST', '/~time')).status).toBe(405);
  expect(await storage.get('/tabplane/time')).toBeUndefined();
  expect((await send(api, 'GET', '/~times')).body).toBe('the API');
  expect((await send(api, 'GET', '/~time')).body).toBe('{"hostMs":0,"clusterMs":0,"speed":1}\n');
});

test('opens a copy with an invalid time, at the time of the host', async () => {
  const host = createManualClock();
  const storage = createMemoryKeySpace(host);
  await storage.commit({ key: '/tabplane/time', expected: 'absent', value: '{"hostMs":1e99,"clusterMs":0,"speed":1}' });
  expect((await open(host, storage)).time.clock.nowMs()).toBe(host.nowMs());
});
