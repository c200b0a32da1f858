import { expect, test } from 'vitest';
import { CommandHistory, historyMax } from './history.ts';
import { createMemoryStore } from './keep.ts';

test('lines are kept, told to the other tabs, and found again after a reload', async () => {
  const keep = createMemoryStore();
  const told: string[] = [];
  const before = new CommandHistory(keep, (line) => told.push(line));
  await before.add('kubectl get ns');
  await before.add('kubectl get ns');
  await before.add('kubectl get po');
  const after = new CommandHistory(keep, () => undefined);
  await after.load();
  expect(after.lines).toEqual(['kubectl get ns', 'kubectl get po']);
  expect(told).toHaveLength(3);
});

test('up and down walk the lines that start with what is typed', async () => {
  const history = new CommandHistory(createMemoryStore(), () => undefined);
  for (const line of ['get po', 'describe po', 'get ns']) history.append(line);
  expect(history.older('get', 3)).toBe(2);
  expect(history.older('get', 2)).toBe(0);
  expect(history.older('get', 0)).toBeUndefined();
  expect(history.newer('get', 0)).toBe(2);
  expect(history.search('crib')).toBe(1);
  expect(history.search('crib', 1)).toBeUndefined();
});

test('the oldest lines go beyond a thousand', () => {
  const history = new CommandHistory(createMemoryStore(), () => undefined);
  for (let at = 0; at < historyMax + 5; at++) history.append(`line ${at}`);
  expect(history.lines).toHaveLength(historyMax);
  expect(history.lines[0]).toBe('line 5');
});
