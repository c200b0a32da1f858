import { expect, test } from 'vitest';
import { itemsPerStep, type Recursion, runSteps, sortInSteps, stepsOf } from '../meta/index.ts';
import { FieldSet } from './apply/fieldpath/field-set.ts';

test('calls may be nested beyond the call stack limit and take many steps', () => {
  function* depthOf(left: number): Recursion<number> {
    return left === 0 ? 0 : 1 + (yield depthOf(left - 1));
  }
  const deep = 100_000;
  expect(runSteps(stepsOf(depthOf(deep)))).toBe(deep);
  expect([...stepsOf(depthOf(deep))].length).toBeGreaterThan(deep / itemsPerStep);
});

test('sortInSteps sorts like Array.sort', () => {
  const items = Array.from({ length: 10 * itemsPerStep + 7 }, (_, index) => ({ key: (index * 7919) % 1009, index }));
  const inOrder = (a: { key: number }, b: { key: number }): number => a.key - b.key;
  expect(runSteps(sortInSteps([...items], inOrder))).toEqual([...items].sort(inOrder));
});

test('supports field sets of 10,000 levels', () => {
  const nested = (element: string): FieldSet => {
    let set = FieldSet.leaf;
    for (let level = 0; level < 10_000; level++) set = FieldSet.of(false, new Map([[element, set]]));
    return set;
  };
  const [set, same, other] = [nested('f:a'), nested('f:a'), nested('f:b')];
  expect(set.equals(same)).toBe(true);
  expect(set.union(other).children.size).toBe(2);
  expect(set.intersection(same).equals(set)).toBe(true);
  expect(set.difference(same).isEmpty).toBe(true);
  expect(set.recursiveDifference(same).isEmpty).toBe(true);
});
