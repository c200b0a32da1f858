import { expect, test } from 'vitest';
import { groupBy, repeatedIndexes } from '../index.ts';

test('indexes of elements that equal an earlier one', () => {
  expect([...repeatedIndexes(['a', 'b', 'a', '', '', 'a'])]).toEqual([2, 4, 5]);
});

test('groups retain the order of elements and of first keys', () => {
  expect([...groupBy([3, 1, 4, 2], (number) => number % 2)]).toEqual([
    [1, [3, 1]],
    [0, [4, 2]],
  ]);
});
