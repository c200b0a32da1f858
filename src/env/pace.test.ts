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
