import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('all who wait within a turn are told of one end, after what was ready before it', async () => {
  const turns = new Turns();
  const heard: string[] = [];
  const first = turns.over().then(() => heard.push('first'));
  await Promise.resolve().then(() => heard.push('ready within the turn'));
  const second = turns.over().then(() => heard.push('second'));
  await Promise.all([first, second]);
  expect(heard).toEqual(['ready within the turn', 'first', 'second']);
});

test('who waits after an end waits for the next one', async () => {
  const turns = new Turns();
  const before = turns.over();
  await before;
  expect(turns.over()).not.toBe(before);
});
