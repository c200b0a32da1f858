import { expect, test } from 'vitest';
import { TickBatcher } from './tick-batcher.ts';

test('resolves all waiters of a tick together, after the work queued before', async () => {
  const turns = new TickBatcher();
  const heard: string[] = [];
  const first = turns.endOfTick().then(() => heard.push('first'));
  await Promise.resolve().then(() => heard.push('ready within the turn'));
  const second = turns.endOfTick().then(() => heard.push('second'));
  await Promise.all([first, second]);
  expect(heard).toEqual(['ready within the turn', 'first', 'second']);
});

test('resolves later waiters at the end of the next tick', async () => {
  const turns = new TickBatcher();
  const before = turns.endOfTick();
  await before;
  expect(turns.endOfTick()).not.toBe(before);
});
