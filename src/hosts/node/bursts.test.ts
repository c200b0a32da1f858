import { expect, test } from 'vitest';
import { Bursts } from './bursts.ts';

/** How long the burst lasts whose first timer is heard after `heardMs`. */
async function lengthMs(heardMs: number): Promise<number> {
  let nowMs = 0;
  let isFirst = true;
  const bursts = new Bursts({
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += isFirst ? heardMs : ms;
      isFirst = false;
    },
  });
  await bursts.over();
  return nowMs;
}

test('a burst is over after 8 ms, or when its timer is heard', async () => {
  expect([await lengthMs(8), await lengthMs(16)]).toEqual([8, 16]);
});

test('who was busy with writing for longer pauses twice as long, and at most 100 ms', async () => {
  expect([await lengthMs(28), await lengthMs(208)]).toEqual([28 + 40, 208 + 100]);
});

test('all wait for the end of one burst, and then for that of the next', async () => {
  const ends: (() => void)[] = [];
  const bursts = new Bursts({ monotonicMs: () => 0, sleep: () => new Promise((resolve) => void ends.push(resolve)) });
  const [first, second] = [bursts.over(), bursts.over()];
  expect(first).toBe(second);
  ends[0]?.();
  await first;
  expect(bursts.over()).not.toBe(first);
  expect(ends.length).toBe(2);
});
