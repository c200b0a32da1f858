import { expect, test } from 'vitest';
import { WriteBatcher } from './write-batcher.ts';

/** Duration of a batch whose first timer fires after `heardMs`. */
async function lengthMs(heardMs: number): Promise<number> {
  let nowMs = 0;
  let isFirst = true;
  const batcher = new WriteBatcher({
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += isFirst ? heardMs : ms;
      isFirst = false;
    },
  });
  await batcher.nextFlush();
  return nowMs;
}

test('flushes after 2 ms, or when the timer fires', async () => {
  expect([await lengthMs(2), await lengthMs(10)]).toEqual([2, 10]);
});

test('pauses twice as long after slow writes, and at most 100 ms', async () => {
  expect([await lengthMs(28), await lengthMs(208)]).toEqual([28 + 52, 208 + 100]);
});

test('resolves all waiters of a flush together, and later ones with the next', async () => {
  const ends: (() => void)[] = [];
  const batcher = new WriteBatcher({ monotonicMs: () => 0, sleep: () => new Promise((resolve) => void ends.push(resolve)) });
  const [first, second] = [batcher.nextFlush(), batcher.nextFlush()];
  expect(first).toBe(second);
  ends[0]?.();
  await first;
  expect(batcher.nextFlush()).not.toBe(first);
  expect(ends.length).toBe(2);
});
