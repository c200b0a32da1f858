import { expect, test } from 'vitest';
import type { Change } from '../storage/index.ts';
import { EventTexts } from './event-texts.ts';

const change = (revision: number): Change => ({ key: 'k', revision, entry: undefined, previous: undefined });

test('watchers of one view share a text, those of another have their own', () => {
  const texts = new EventTexts();
  const [first, second] = [change(2), change(3)];
  let encoded = 0;
  const encode = (): string => `text ${++encoded}`;
  expect([texts.of(first, 'json', encode), texts.of(first, 'json', encode)]).toEqual(['text 1', 'text 1']);
  expect([texts.of(first, 'yaml', encode), texts.of(second, 'json', encode)]).toEqual(['text 2', 'text 3']);
});

test('texts of the past are not kept', () => {
  const texts = new EventTexts();
  const old = change(2);
  texts.of(old, 'json', () => 'first');
  for (let revision = 3; revision < 20; revision++) texts.of(change(revision), 'json', () => 'x'.repeat(1024 * 1024));
  expect(texts.of(old, 'json', () => 'again')).toBe('again');
});
