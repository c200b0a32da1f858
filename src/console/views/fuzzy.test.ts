import { expect, test } from 'vitest';
import { fuzzyScore } from './fuzzy.ts';

const best = (typed: string, texts: readonly string[]): string | undefined =>
  texts
    .map((text) => ({ text, score: fuzzyScore(typed, text) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))[0]?.text;

test('matches letters in order, and no missing letters', () => {
  expect(fuzzyScore('dpl', 'deployments')).toBeDefined();
  expect(fuzzyScore('dpx', 'deployments')).toBeUndefined();
});

test('the beginning of a text beats that of a word, and both beat the middle', () => {
  expect(best('web', ['cobweb', 'my-web', 'web-1'])).toBe('web-1');
  expect(best('web', ['cobweb', 'my-web'])).toBe('my-web');
});

test('finds words in any order', () => {
  expect(best('shop web', ['web · deployments · default', 'web · deployments · shop'])).toBe('web · deployments · shop');
});
