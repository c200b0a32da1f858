import { expect, test } from 'vitest';
import { EqualIndex } from './equal-index.ts';
import { equal } from './equality.ts';
import { ListValue } from './list.ts';
import { Duration, Timestamp, TypeValue, Uint, type Value } from './value.ts';

const simple: readonly Value[] = [
  null,
  true,
  false,
  0n,
  1n,
  -1n,
  2n ** 63n - 1n,
  0,
  -0,
  1,
  1.5,
  2 ** 63,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  new Uint(1n),
  new Uint(2n ** 63n),
  '',
  '1',
  'n1',
  'true',
  new Uint8Array([1, 2]),
  new Uint8Array([12]),
  new Timestamp(1n),
  new Timestamp(1n, 60),
  new Duration(1n),
  new TypeValue('int'),
  new TypeValue('string'),
];

test('finds simple values by equality', () => {
  for (const one of simple)
    for (const other of simple) expect([one, other, EqualIndex.of([one])?.has(other)]).toEqual([one, other, equal(one, other) === true]);
});

test('does not index lists', () => {
  expect(EqualIndex.of([1n, ListValue.of([])])).toBeUndefined();
  expect(EqualIndex.of([1n])?.has(ListValue.of([]))).toBeUndefined();
});
