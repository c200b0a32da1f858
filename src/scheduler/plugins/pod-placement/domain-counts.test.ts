import { expect, test } from 'vitest';
import { DomainCounts } from './domain-counts.ts';

test('has the minimum after each change, and zero while domains are missing', () => {
  const counts = new DomainCounts([
    ['a', 2],
    ['b', 3],
  ]);
  expect([counts.minimum(1), counts.minimum(3)]).toEqual([2, 0]);
  const copy = counts.clone();
  copy.add('a', 2);
  expect([copy.minimum(1), counts.minimum(1)]).toEqual([3, 2]);
  copy.add('c', 1);
  expect([copy.minimum(3), copy.at('c'), copy.at('d')]).toEqual([1, 1, 0]);
});
