import { expect, test } from 'vitest';
import type { Json } from '../../meta/index.ts';
import { emptyMap } from '../normalize/empty-collections.ts';
import { isSemanticallyEqual, semanticKey } from './accessors.ts';

const values: readonly (Json | undefined)[] = [
  ...[
    undefined,
    null,
    '',
    'null',
    'true',
    true,
    false,
    0,
    1,
    '1',
    1n,
    {},
    emptyMap,
    [],
    [null],
    [[]],
    ['a'],
    ['a', 'b'],
    ['b', 'a'],
    ['a,b'],
  ],
  ...[{ a: 1 }, { a: 1, b: null }, { b: [], a: 1 }, { b: 2, a: 1 }, { a: 1, b: 2 }, { a: { b: 'c' } }, { 'a":{"b': 'c' }, { a: null }],
] as readonly (Json | undefined)[];

test('semantically equal values, and only they, have equal keys', () => {
  // A 64-bit number equals the text of its digits, but no field has both types.
  const typed = values.filter((value) => value !== '1');
  for (const a of typed)
    for (const b of typed) expect(semanticKey(a) === semanticKey(b), `${String(a)} ${String(b)}`).toBe(isSemanticallyEqual(a, b));
});
