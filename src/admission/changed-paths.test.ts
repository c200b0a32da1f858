import { expect, test } from 'vitest';
import { changedPaths } from './changed-paths.ts';

test('returns the paths of added, changed and removed fields', () => {
  const same = { deep: [1, { x: 1 }] };
  const before = { metadata: same, spec: { a: 1, list: [{ n: 1 }], deleted: true } };
  const after = { metadata: same, spec: { a: 2, list: [{ n: 1, m: 2 }, { n: 2 }] } };
  expect(changedPaths(before, after)).toEqual(['spec.a', 'spec.list[0].m', 'spec.list[1]', 'spec.deleted']);
});

test('summarizes many changes by their number', () => {
  const after = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, i]));
  expect(changedPaths({}, after)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'and 3 more']);
});
