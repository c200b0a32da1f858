import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

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
