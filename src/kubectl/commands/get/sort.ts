import { compareQuantities, isQuantity, type JsonObject, objectsAt, parseQuantity } from '../../../meta/index.ts';
import { JsonPath, relaxedPath } from '../../printers/jsonpath.ts';
import { KubectlError } from '../../program/errors.ts';

/** @throws KubectlError when no object has the field */
export function sortObjects<T>(objects: readonly T[], by: string, of: (one: T) => unknown = (one) => one): T[] {
  const path = new JsonPath(relaxedPath(by));
  const keyed = objects.map((object) => ({ object, key: path.results(of(object))[0]?.[0] }));
  if (keyed.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new KubectlError(`couldn't find any field with path ${JSON.stringify(relaxedPath(by))} in the list of objects`);
  }
  return keyed.sort((left, right) => compare(left.key, right.key)).map(({ object }) => object);
}

/** Sorts the rows of a table; undefined when it cannot be sorted, which kubectl prints as an empty one. */
export function sortTable(table: JsonObject, by: string): JsonObject | undefined {
  if (by === '') return table;
  const rows = objectsAt(table, 'rows');
  try {
    return { ...table, rows: sortObjects(rows, by, (row) => row['object']) };
  } catch (error) {
    if (error instanceof KubectlError) return undefined;
    throw error;
  }
}

function compare(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [a, b] = [String(left), String(right)];
  if (isQuantity(a) && isQuantity(b)) return compareQuantities(parseQuantity(a), parseQuantity(b));
  return compareNaturally(a, b);
}

/** Natural order: digits in a text compare as numbers. */
function compareNaturally(left: string, right: string): number {
  const a = left.match(/\d+|\D+/g) ?? [];
  const b = right.match(/\d+|\D+/g) ?? [];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [one = '', other = ''] = [a[index], b[index]];
    if (one === other) continue;
    if (/^\d/.test(one) && /^\d/.test(other) && Number(one) !== Number(other)) return Number(one) - Number(other);
    return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
