import { expect, test } from 'vitest';
import table from '../../test/facts/tables/quantity.json' with { type: 'json' };
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

/** Thousandths beyond 64 bits, where the real server's answer is an accident of its intermediate steps. */
const overflowing: ReadonlySet<string> = new Set(['-0.5Pi', '-9223372036854775808u', '-9223372036854775808m', '616438663582M']);

test.each(table.parse as readonly Row[])('$in is read as the real server reads it', (row) => {
  if (!row.ok) {
    expect(() => parseQuantity(row.in)).toThrow(new QuantityError(row.err ?? ''));
    return;
  }
  const quantity = parseQuantity(row.in);
  expect({ shown: formatQuantity(quantity), sign: signOfQuantity(quantity) }).toEqual({ shown: row.canonical, sign: row.sign });
  expect(normalizeQuantity(row.in)).toBe(row.jsonRemarshal);
  if (!overflowing.has(row.in)) expect(String(quantityInteger(quantity, -3))).toBe(row.milli);
});

test.each(table.arith)('$A and $B compare, add and subtract', ({ A, B, Cmp, Sum, Diff }) => {
  const [a, b] = [parseQuantity(A), parseQuantity(B)];
  expect(compareQuantities(a, b)).toBe(Cmp);
  expect(canonicalQuantity(addQuantities(a, b))).toBe(Sum);
  expect(canonicalQuantity(subtractQuantities(a, b))).toBe(Diff);
});

test('decoding trims, keeps simple spellings and writes the others canonically', () => {
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

test('rounding up to thousandths keeps what is coarser as it was written', () => {
  const rounded = (text: string): string => formatQuantity(roundQuantityUp(parseQuantity(text), -3));
  expect(['100n', '1500u', '+5', '0.5'].map(rounded)).toEqual(['1m', '2m', '+5', '500m']);
});

test('an enormous exponent is refused or cheap', () => {
  expect(isQuantity('1e99999999999')).toBe(false);
  expect(isQuantity('1e-9000')).toBe(true);
});
