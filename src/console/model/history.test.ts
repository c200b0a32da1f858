import { expect, test } from 'vitest';
import { CommandHistory, historyMax } from './history.ts';
import { createMemoryStore } from './key-value-store.ts';

test('stores lines, broadcasts them to other tabs, and restores them after a reload', async () => {
  const store = createMemoryStore();
  const broadcasts: string[] = [];
  const before = new CommandHistory(store, (line) => broadcasts.push(line));
  await before.add('kubectl get ns');
  await before.add('kubectl get ns');
  await before.add('kubectl get po');
  const after = new CommandHistory(store, () => undefined);
  await after.load();
  expect(after.lines).toEqual(['kubectl get ns', 'kubectl get po']);
  expect(broadcasts).toHaveLength(3);
});

test('up and down select the lines with the typed prefix', async () => {
  const history = new CommandHistory(createMemoryStore(), () => undefined);
  for (const line of ['get po', 'describe po', 'get ns']) history.append(line);
  expect(history.older('get', 3)).toBe(2);
  expect(history.older('get', 2)).toBe(0);
  expect(history.older('get', 0)).toBeUndefined();
  expect(history.newer('get', 0)).toBe(2);
  expect(history.search('crib')).toBe(1);
  expect(history.search('crib', 1)).toBeUndefined();
});

test('removes the oldest lines beyond a thousand', () => {
  const history = new CommandHistory(createMemoryStore(), () => undefined);
  for (let at = 0; at < historyMax + 5; at++) history.append(`line ${at}`);
  expect(history.lines).toHaveLength(historyMax);
  expect(history.lines[0]).toBe('line 5');
});
