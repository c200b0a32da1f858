import { expect, test } from 'vitest';
import table from '../../../test/facts/tables/quantity.json' with { type: 'json' };
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  normalizeQuantity,
  parseQuantity,
  QuantityError,
  quantityInteger,
  roundQuantityUp,
  signOfQuantity,
  subtractQuantities,
} from './quantity.ts';

interface Row {
  readonly in: string;
  readonly ok: boolean;
  readonly canonical?: string;
  readonly milli?: string;
  readonly sign: number;
  readonly err?: string;
  readonly jsonRemarshal?: string;
}

test.each(table.parse as readonly Row[])('parses $in like the real server', (row) => {
  if (!row.ok) {
    expect(() => parseQuantity(row.in)).toThrow(new QuantityError(row.err ?? ''));
    return;
  }
  const quantity = parseQuantity(row.in);
  expect({ shown: formatQuantity(quantity), sign: signOfQuantity(quantity) }).toEqual({ shown: row.canonical, sign: row.sign });
  expect(normalizeQuantity(row.in)).toBe(row.jsonRemarshal);
  expect(String(quantityInteger(quantity, -3))).toBe(row.milli);
});

test.each(table.arith)('compares, adds and subtracts $A and $B', ({ A, B, Cmp, Sum, Diff }) => {
  const [a, b] = [parseQuantity(A), parseQuantity(B)];
  expect(compareQuantities(a, b)).toBe(Cmp);
  expect(canonicalQuantity(addQuantities(a, b))).toBe(Sum);
  expect(canonicalQuantity(subtractQuantities(a, b))).toBe(Diff);
});

test.each<[text: string, whole: bigint, thousandths: bigint]>([
  ['9223372036854776', 9_223_372_036_854_776n, -9_223_372_036_854_775_616n],
  ['1e20', 0n, 0n],
  ['12345678901234567890', -6_101_065_172_474_983_726n, 4_807_115_922_877_858_896n],
  ['-9223372036854775809', -1n, -1000n],
])('%s overflows like in Go', (text, whole, thousandths) => {
  const quantity = parseQuantity(text);
  expect([quantityInteger(quantity), quantityInteger(quantity, -3)]).toEqual([whole, thousandths]);
});

test('normalization trims, preserves simple spellings and makes others canonical', () => {
  expect(['1 ', '+5', '05', '0.5Gi', '1000m', '1024Mi', '1024'].map(normalizeQuantity)).toEqual([
    '1',
    '+5',
    '05',
    '512Mi',
    '1',
    '1Gi',
    '1024',
  ]);
});

test('rounding up to thousandths preserves the spelling of exact amounts', () => {
  const rounded = (text: string): string => formatQuantity(roundQuantityUp(parseQuantity(text), -3));
  expect(['100n', '1500u', '+5', '0.5'].map(rounded)).toEqual(['1m', '2m', '+5', '500m']);
});

test('an enormous exponent is rejected or cheap', () => {
  expect(isQuantity('1e99999999999')).toBe(false);
  expect(isQuantity('1e-9000')).toBe(true);
});

test('decoding does not change small whole numbers of any unit', () => {
  const units = ['', 'm', 'k', 'M', 'G', 'T', 'P', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  const changed = units.flatMap((unit) =>
    Array.from({ length: 999 }, (_, at) => `${at + 1}${unit}`).filter((text) => formatQuantity(parseQuantity(text)) !== text),
  );
  expect(changed).toEqual([]);
});
