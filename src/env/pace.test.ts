import { expect, test } from 'vitest';
import { createPace, createTurnPace } from './pace.ts';

test('long work waits for a later turn once a slice of time is over, and only then', async () => {
  let now = 0;
  let turns = 0;
  const pace = createPace({
    monotonicMs: () => now,
    nextTurn: async () => {
      turns++;
    },
  });
  expect(pace()).toBeUndefined();
  now = 19;
  expect(pace()).toBeUndefined();
  now = 20;
  await pace();
  expect(turns).toBe(1);
  now = 39;
  expect(pace()).toBeUndefined();
});

test('the pace of small parts yields once a slice has passed in one turn of the event loop', async () => {
  let nowMs = 0;
  let turns = 0;
  let end = (): void => undefined;
  const clock = {
    monotonicMs: () => nowMs,
    nextTurn: () => {
      turns++;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  };
  const pace = createTurnPace(clock);
  expect([pace(), pace(), turns]).toEqual([undefined, undefined, 1]);
  nowMs = 1_000;
  expect(pace()).toBeInstanceOf(Promise);
  const other = createTurnPace(clock);
  expect(other()).toBeUndefined();
  end();
  await Promise.resolve();
  await Promise.resolve();
  nowMs = 2_000;
  expect(other()).toBeUndefined();
});

test('those that wait for a slice resume in their order, as many in a turn of the event loop as its slice allows', async () => {
  let nowMs = 0;
  let turn = 0;
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const pace = createTurnPace({ monotonicMs: () => nowMs, nextTurn });
  const workers = Array.from('abcdefgh');
  const resumed: string[] = [];
  const msByTurn = new Map<number, number>();
  let running = workers.length;
  const work = async (worker: string): Promise<void> => {
    for (let part = 0; part < 10; part++) {
      const paused = pace();
      if (paused) {
        await paused;
        resumed.push(worker);
      } else await Promise.resolve();
      nowMs += 2;
      msByTurn.set(turn, (msByTurn.get(turn) ?? 0) + 2);
    }
    running--;
  };
  const beat = (): void => {
    turn++;
    if (running > 0) setImmediate(beat);
  };
  setImmediate(beat);
  await Promise.all(workers.map(work));
  expect(resumed.slice(0, workers.length).toSorted()).toEqual(workers);
  expect(Math.max(...msByTurn.values())).toBeLessThanOrEqual(20 + 2 * workers.length);
  expect(msByTurn.size).toBeGreaterThan(4);
});

test('work that arrives in a later turn does not overtake the work that waits for a slice', async () => {
  let nowMs = 0;
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const pace = createTurnPace({ monotonicMs: () => nowMs, nextTurn });
  const done: string[] = [];
  const work = async (name: string): Promise<void> => {
    await pace();
    done.push(name);
    nowMs += 1_000;
  };
  await work('first');
  const newcomer = nextTurn().then(() => work('newcomer'));
  await Promise.all([work('waiting'), newcomer]);
  expect(done).toEqual(['first', 'waiting', 'newcomer']);
});
