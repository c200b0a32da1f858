import { expect, test } from 'vitest';
import { findIndexesProblem, findOverlap } from './job-indexes.ts';

test.each([
  ['', 3, undefined],
  ['0,2-4', 5, undefined],
  ['a', 5, 'cannot convert string to integer for index: "a"'],
  ['1-2-3', 5, `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`],
  ['5', 5, 'too large index: "5"'],
  ['3-1', 5, 'non-increasing order, previous: 3, current: 1'],
  ['1,1', 5, 'non-increasing order, previous: 1, current: 1'],
] as const)('indexes %j of %d', (text, completions, problem) => {
  expect(findIndexesProblem(text, completions)).toBe(problem);
});

test('finds the first index that is both failed and completed', () => {
  expect(findOverlap('0-2,5', '3,4-6', 9)).toBe(5);
  expect(findOverlap('0-2', '3', 9)).toBeUndefined();
});
