import { expect, test } from 'vitest';
import { slowStartBatch } from './index.ts';

/** The indexes of the calls, by batch. Calls from `failingFrom` on fail. */
async function batches(count: number, failingFrom: number, initialSize?: number) {
  const started: number[][] = [];
  let current: number[] | undefined;
  const run = async (index: number): Promise<void> => {
    if (!current) {
      current = [];
      started.push(current);
    }
    current.push(index);
    await Promise.resolve();
    current = undefined;
    if (index >= failingFrom) throw new Error(`failure ${index}`);
  };
  return { result: await slowStartBatch(count, run, initialSize), started };
}

test.each([
  [0, []],
  [1, [[0]]],
  [6, [[0], [1, 2], [3, 4, 5]]],
])('runs %s calls in growing batches', async (count, expected) => {
  expect(await batches(count, 99)).toEqual({ result: { successes: count }, started: expected });
});

test('begins with the initial size', async () => {
  expect((await batches(5, 99, 4)).started).toEqual([[0, 1, 2, 3], [4]]);
});

test('ends after a batch with a failure', async () => {
  expect(await batches(20, 4)).toEqual({
    result: { successes: 4, error: new Error('failure 4') },
    started: [[0], [1, 2], [3, 4, 5, 6]],
  });
});
