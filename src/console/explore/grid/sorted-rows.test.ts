import { expect, test } from 'vitest';
import { SortedRows } from './sorted-rows.ts';

interface Row {
  readonly key: string;
  readonly size: number;
}
const row = (key: string, size: number): Row => ({ key, size });
const keys = (rows: SortedRows<Row>): string => rows.shown.map(({ key }) => key).join('');
const some = (): SortedRows<Row> => {
  const rows = new SortedRows<Row>((a, b) => a.size - b.size);
  rows.replace([row('c', 1), row('a', 3), row('b', 2), row('d', 2)]);
  return rows;
};

test('sorts rows, equal ones by key, and moves changed ones', () => {
  const rows = some();
  expect(keys(rows)).toBe('cbda');
  rows.put(row('c', 9));
  expect(keys(rows)).toBe('bdac');
  rows.delete('d');
  rows.put(row('e', 0));
  expect(keys(rows)).toBe('ebac');
});

test('a filter hides rows, and shows changed ones that match', () => {
  const rows = some();
  rows.filter(({ size }) => size > 1);
  expect(keys(rows)).toBe('bda');
  rows.put(row('c', 4));
  rows.put(row('b', 0));
  expect(keys(rows)).toBe('dac');
  expect(rows.indexOf(row('c', 4))).toBe(2);
  expect(rows.indexOf(row('b', 0))).toBe(-1);
  expect(rows.size).toBe(4);
});

test('equals a full sort after any changes', () => {
  const rows = new SortedRows<Row>((a, b) => a.size - b.size);
  let state = 7;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  for (let step = 0; step < 2_000; step++) {
    const key = String(next(50));
    if (next(4) === 0) rows.delete(key);
    else rows.put(row(key, next(10)));
  }
  const sorted = [...rows.values()].sort((a, b) => a.size - b.size || (a.key < b.key ? -1 : 1));
  expect(rows.shown).toEqual(sorted);
});
