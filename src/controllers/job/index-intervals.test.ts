import { expect, test } from 'vitest';
import {
  addIndexes,
  countCommonIndexes,
  countIndexes,
  firstMissingIndexes,
  formatIndexes,
  includesIndex,
  mergeIntervals,
  parseIndexes,
} from './index-intervals.ts';

test.each([
  ['', 5, '', 0],
  ['0', 5, '0', 1],
  ['0,1', 5, '0,1', 2],
  ['0-1', 5, '0,1', 2],
  ['0-2,4', 9, '0-2,4', 4],
  ['0,1,2,5', 9, '0-2,5', 4],
  ['0-9', 5, '0-4', 5],
  ['3,7-9', 5, '3', 1],
  ['x,2,3-y', 5, '2', 1],
])('parses %j of %i completions', (text, completions, formatted, count) => {
  const intervals = parseIndexes(text, completions);
  expect([formatIndexes(intervals), countIndexes(intervals)]).toEqual([formatted, count]);
});

test.each([
  ['1,3', [2], '1-3'],
  ['', [4, 0], '0,4'],
  ['0-3', [1], '0-3'],
  ['5', [0, 1, 6], '0,1,5,6'],
])('adds to %j %j', (text, indexes, expected) => {
  expect(formatIndexes(addIndexes(parseIndexes(text, 99), indexes))).toBe(expected);
});

test.each([
  ['0-2,6', '1-4', '0-4,6', 2],
  ['0', '2', '0,2', 0],
  ['0-9', '2,4-5', '0-9', 3],
])('merges and intersects %j and %j', (one, other, merged, common) => {
  const [a, b] = [parseIndexes(one, 99), parseIndexes(other, 99)];
  expect([formatIndexes(mergeIntervals(a, b)), countCommonIndexes(a, b)]).toEqual([merged, common]);
});

test.each([
  ['', 2, 5, [0, 1]],
  ['0-2,4', 9, 7, [3, 5, 6]],
  ['0-9', 3, 5, []],
  ['1', 0, 5, []],
])('finds the first indexes that %j lacks', (text, count, completions, expected) => {
  expect(firstMissingIndexes(parseIndexes(text, 99), count, completions)).toEqual(expected);
});

test.each([
  [2, false],
  [3, true],
  [5, true],
  [6, false],
])('3-5 includes %i: %s', (index, expected) => {
  expect(includesIndex(parseIndexes('3-5', 99), index)).toBe(expected);
});
