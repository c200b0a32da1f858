import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import { createControllerRateLimiter, IgnorableError, runWorkers, WorkQueue } from './index.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createQueue() {
  const clock = createManualClock();
  const ending = new AbortController();
  return { clock, ending, queue: new WorkQueue<string>({ clock, signal: ending.signal }) };
}

test('holds an item once, and queues it again when it was added during its processing', async () => {
  const { queue } = createQueue();
  queue.add('a');
  queue.add('b');
  queue.add('a');
  expect(queue.length).toBe(2);
  expect(await queue.get()).toBe('a');
  queue.add('a');
  expect(await queue.get()).toBe('b');
  expect(queue.length).toBe(0);
  queue.done('a');
  expect(await queue.get()).toBe('a');
  queue.done('a');
  queue.done('b');
  expect(queue.length).toBe(0);
});

test('of several delays of an item the shortest counts', async () => {
  const { queue, clock } = createQueue();
  queue.addAfter('a', 500);
  queue.addAfter('a', 100);
  queue.addAfter('a', 300);
  queue.addAfter('b', 0);
  expect(await queue.get()).toBe('b');
  await clock.advance(99);
  expect(queue.length).toBe(0);
  await clock.advance(1);
  expect(await queue.get()).toBe('a');
  queue.done('a');
  await clock.advance(1_000);
  expect(queue.length).toBe(0);
});

test('a shutdown ends waiting workers and cancels delayed items', async () => {
  const { queue, clock, ending } = createQueue();
  const waiting = queue.get();
  queue.addAfter('a', 100);
  ending.abort();
  expect(await waiting).toBeUndefined();
  await clock.advance(1_000);
  queue.add('b');
  expect([queue.length, await queue.get()]).toEqual([0, undefined]);
});

test('retries failed items with growing delays until they succeed', async () => {
  const { queue, clock, ending } = createQueue();
  const log = createMemoryLog();
  const attempts: number[] = [];
  const reconcile = async (): Promise<void> => {
    attempts.push(clock.monotonicMs());
    if (attempts.length < 4) throw new Error('not yet');
  };
  runWorkers({ queue, workers: 2, reconcile, name: 'test', log, signal: ending.signal });
  queue.add('a');
  for (let turn = 0; turn < 60; turn++) {
    await settle();
    await clock.advance(1);
  }
  expect(attempts).toEqual([0, 5, 15, 35]);
  expect(queue.retries('a')).toBe(0);
  expect(log.lines.map(({ event, details }) => [event, details['item']])).toEqual(Array(3).fill(['controller failed', 'a']));
  ending.abort();
});

test('retries ignorable failures without an entry in the log', async () => {
  const { queue, clock, ending } = createQueue();
  const log = createMemoryLog();
  const attempts: number[] = [];
  const reconcile = async (): Promise<void> => {
    attempts.push(clock.monotonicMs());
    if (attempts.length < 3) throw new IgnorableError('not yet');
  };
  runWorkers({ queue, workers: 1, reconcile, name: 'test', log, signal: ending.signal });
  queue.add('a');
  for (let turn = 0; turn < 30; turn++) {
    await settle();
    await clock.advance(1);
  }
  expect([attempts, log.lines]).toEqual([[0, 5, 15], []]);
  ending.abort();
});

test('processes different items at the same time, never one twice', async () => {
  const { queue, ending } = createQueue();
  const running: string[] = [];
  const finish: (() => void)[] = [];
  const reconcile = (item: string): Promise<void> => {
    running.push(item);
    return new Promise((resolve) => finish.push(resolve));
  };
  runWorkers({ queue, workers: 2, reconcile, name: 'test', log: createMemoryLog(), signal: ending.signal });
  for (const item of ['a', 'b', 'a', 'c']) queue.add(item);
  await settle();
  queue.add('a');
  expect(running).toEqual(['a', 'b']);
  finish[0]?.();
  await settle();
  expect(running).toEqual(['a', 'b', 'c']);
  finish[1]?.();
  await settle();
  expect(running).toEqual(['a', 'b', 'c', 'a']);
  ending.abort();
});

test('limits all items together, after a burst', async () => {
  const clock = createManualClock();
  const limiter = createControllerRateLimiter<string>(clock);
  const delays = Array.from({ length: 102 }, (_, index) => Math.round(limiter.when(`item ${index}`)));
  expect([delays[0], delays[99], delays[100], delays[101]]).toEqual([5, 5, 100, 200]);
});

test('waits longer than timers of the platform can', async () => {
  const clock = createManualClock();
  const delays: number[] = [];
  const schedule = (ms: number, run: () => void): (() => void) => {
    delays.push(ms);
    return clock.schedule(ms, run);
  };
  const queue = new WorkQueue<string>({ clock: { ...clock, schedule }, signal: new AbortController().signal });
  const dayMs = 86_400_000;
  queue.addAfter('a', 40 * dayMs);
  await clock.advance(40 * dayMs - 1);
  expect(queue.length).toBe(0);
  await clock.advance(1);
  expect(queue.length).toBe(1);
  expect(Math.max(...delays)).toBeLessThan(2 ** 31);
});
