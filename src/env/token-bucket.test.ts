import { expect, test } from 'vitest';
import { createManualClock, TokenBucket } from './index.ts';

test('a burst is taken at once, then tokens accrue at the rate', async () => {
  const clock = createManualClock();
  const bucket = new TokenBucket(clock, 1 / 300, 2);
  expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([true, true, false]);
  await clock.advance(300_000);
  expect([bucket.tryTake(), bucket.tryTake()]).toEqual([true, false]);
});

test('reserved tokens are waited for in their order', async () => {
  const clock = createManualClock();
  const bucket = new TokenBucket(clock, 10, 1);
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 100, 200]);
  expect(bucket.tryTake()).toBe(false);
  await clock.advance(1_000);
  expect([bucket.reserve(), bucket.reserve()]).toEqual([0, 100]);
});
