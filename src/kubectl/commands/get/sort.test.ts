import { expect, test } from 'vitest';
import { sortObjects } from './sort.ts';

const sorted = (...keys: unknown[]): unknown[] =>
  sortObjects(
    keys.map((key, index) => ({ index, ...(key === undefined ? {} : { key }) })),
    '.key',
  ).map(({ index }) => index);

test('texts are in the order of their characters, quantities by amount', () => {
  expect(sorted('b10', 'b9', 'a')).toEqual([2, 0, 1]);
  expect(sorted('1Gi', '500Mi', '2')).toEqual([2, 1, 0]);
});

test('objects without the field are first, the last one before all others', () => {
  expect(sorted('a', undefined, 'b', undefined)).toEqual([3, 1, 0, 2]);
});

test('values without an order are errors', () => {
  expect(() => sorted(true, false)).toThrow('unsortable type: bool');
  expect(() => sorted({}, {})).toThrow('unsortable type: map[string]interface {}');
  expect(() => sorted('a', 1)).toThrow('unsortable interface: interface');
});

test('a path that no object has is an error', () => {
  expect(() => sorted(undefined, undefined)).toThrow('couldn\'t find any field with path "{.key}" in the list of objects');
});
