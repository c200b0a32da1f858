import { expect, test } from 'vitest';
import { resourceAttributes } from '../authz/index.ts';
import { createManualClock, type ManualClock } from '../env/index.ts';
import { QueueSet, type QueuingSettings, type SeatRequest } from './queue-set.ts';

const attributes = resourceAttributes(
  { username: 'alice', uid: '', groups: [], extra: {} },
  { verb: 'get', group: '', resource: 'pods', namespace: 'a' },
);
const request = (distinguisher: string, seats = 1): SeatRequest => ({ flowSchema: 'schema', distinguisher, attributes, seats });
const signal = new AbortController().signal;

function start(
  limit: number,
  queuing?: QueuingSettings,
): { readonly set: QueueSet; readonly clock: ManualClock; readonly demand: number[] } {
  const clock = createManualClock();
  const demand: number[] = [];
  const set = new QueueSet({ clock, queuing, onDemand: (seats) => demand.push(seats) });
  set.setLimit(limit);
  return { set, clock, demand };
}

/** Enters and records when it starts. */
function enter(set: QueueSet, started: string[], name: string, flow: string, seats = 1): Promise<() => void> {
  const entered = Promise.resolve(set.enter(request(flow, seats), 15_000, signal));
  void entered.then(
    () => started.push(name),
    () => started.push(`${name} rejected`),
  );
  return entered;
}

const one = { queues: 1, handSize: 1, queueLengthLimit: 2 };

test('without queues, rejects what has no seat', () => {
  const { set } = start(1);
  const leave = set.enter(request('a'), 15_000, signal);
  expect(leave).toBeTypeOf('function');
  expect(() => set.enter(request('a'), 15_000, signal)).toThrow('concurrency-limit');
  if (typeof leave === 'function') leave();
  expect(set.enter(request('a'), 15_000, signal)).toBeTypeOf('function');
  expect(set.counts.get('schema')).toMatchObject({ dispatched: 2, executing: 1, rejected: { 'concurrency-limit': 1 } });
});

test('queues up to the length limit, and starts in order of arrival', async () => {
  const { set, demand } = start(1, one);
  const started: string[] = [];
  const first = await enter(set, started, '1', 'a');
  const second = enter(set, started, '2', 'a');
  void enter(set, started, '3', 'a');
  expect(() => set.enter(request('a'), 15_000, signal)).toThrow('queue-full');
  expect([set.executing, set.waiting]).toEqual([1, 2]);
  first();
  first();
  await second;
  expect(started).toEqual(['1', '2']);
  expect([set.executing, set.waiting]).toEqual([1, 1]);
  expect(demand).toEqual([1, 2, 3, 2, 2]);
});

test('a request leaves its queue after the time limit, and when its client disconnects', async () => {
  const { set, clock } = start(1, one);
  const started: string[] = [];
  await enter(set, started, '1', 'a');
  const late = enter(set, started, '2', 'a');
  const connection = new AbortController();
  const left = Promise.resolve(set.enter(request('a'), 15_000, connection.signal));
  connection.abort();
  await expect(left).rejects.toMatchObject({ reason: 'cancelled' });
  await clock.advance(15_000);
  await expect(late).rejects.toMatchObject({ reason: 'time-out' });
  expect(set.waiting).toBe(0);
  expect(set.counts.get('schema')).toMatchObject({ rejected: { 'time-out': 1, cancelled: 1 } });
  const waits = set.counts.get('schema')?.rejectedWaits.samples({});
  expect(waits?.find(({ suffix }) => suffix === '_sum')?.value).toBe(15);
});

test('a flow with many requests does not delay another one', async () => {
  const { set, clock } = start(2, { queues: 64, handSize: 4, queueLengthLimit: 50 });
  const started: string[] = [];
  const leaves: (() => void)[] = [];
  const add = (name: string, flow: string): void => void enter(set, started, name, flow).then((leave) => leaves.push(leave));
  for (let index = 0; index < 100; index++) add(`many-${index}`, 'many');
  for (let index = 0; index < 3; index++) add(`few-${index}`, 'few');
  for (let round = 0; round < 12; round++) {
    await clock.advance(10);
    for (const leave of leaves.splice(0)) leave();
  }
  await clock.advance(0);
  const position = started.indexOf('few-2');
  expect(position).toBeGreaterThan(0);
  expect(position).toBeLessThan(20);
});

test('more seats start waiting requests; a request that needs more than there are runs alone', async () => {
  const { set } = start(1, { ...one, queueLengthLimit: 5 });
  const started: string[] = [];
  const leave = await enter(set, started, '1', 'a');
  const wide = enter(set, started, 'wide', 'a', 5);
  const last = enter(set, started, '3', 'a');
  set.setLimit(3);
  await Promise.resolve();
  expect(started).toEqual(['1']);
  leave();
  (await wide)();
  await last;
  expect(started).toEqual(['1', 'wide', '3']);
});
