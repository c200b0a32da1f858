import { expect, test } from 'vitest';
import { TickBatcher } from './tick-batcher.ts';

test('resolves all waiters of a tick together, after the work queued before', async () => {
  const batcher = new TickBatcher();
  const order: string[] = [];
  const first = batcher.endOfTick().then(() => order.push('first'));
  await Promise.resolve().then(() => order.push('ready within the turn'));
  const second = batcher.endOfTick().then(() => order.push('second'));
  await Promise.all([first, second]);
  expect(order).toEqual(['ready within the turn', 'first', 'second']);
});

test('resolves later waiters at the end of the next tick', async () => {
  const batcher = new TickBatcher();
  const before = batcher.endOfTick();
  await before;
  expect(batcher.endOfTick()).not.toBe(before);
});
