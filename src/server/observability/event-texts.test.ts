import { expect, test } from 'vitest';
import type { Change } from '../../storage/index.ts';
import { EventTexts } from './event-texts.ts';

function createChange(): Change {
  return { key: 'k', revision: 1, entry: undefined, previous: undefined };
}

test('a change is encoded once in each format', () => {
  const texts = new EventTexts();
  const change = createChange();
  let encoded = 0;
  const textOf = (view: string): unknown => texts.of(change, view, () => `${view} ${++encoded}`);
  expect(['json', 'table', 'json', 'table'].map(textOf)).toEqual(['json 1', 'table 2', 'json 1', 'table 2']);
});

test('the cache drops its texts when they exceed its limit', () => {
  const texts = new EventTexts();
  const changes = Array.from({ length: 5 }, createChange);
  const encode = (): string => 'x'.repeat(1_000_000);
  for (const change of changes) texts.of(change, 'json', encode);
  expect(changes.map((change) => texts.of(change, 'json', () => 'again'))).toEqual(Array(5).fill('again'));
});
