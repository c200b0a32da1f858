import { expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');
const between = ['1', '2', '3', '4', '5', '6'];

test('changes with six unchanged lines between them are in one hunk', () => {
  const hunks = unifiedDiff(lines('a', ...between, 'b'), lines('A', ...between, 'B')).match(/^@@.*@@$/gm);
  expect(hunks).toEqual(['@@ -1,8 +1,8 @@']);
});

test('changes with seven unchanged lines between them are in two hunks', () => {
  const hunks = unifiedDiff(lines('a', ...between, '7', 'b'), lines('A', ...between, '7', 'B')).match(/^@@.*@@$/gm);
  expect(hunks).toEqual(['@@ -1,4 +1,4 @@', '@@ -6,4 +6,4 @@']);
});
