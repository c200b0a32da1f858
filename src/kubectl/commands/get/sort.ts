import { compareQuantities, isQuantity, type JsonObject, objectsAt, parseQuantity } from '../../../meta/index.ts';
import { JsonPath, relaxedPath } from '../../printers/jsonpath.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError, PlainError } from '../../program/errors.ts';
import { logLine } from '../../program/log-line.ts';

/** @throws KubectlError when no object has the field, UnsortableError */
export function sortObjects<T>(objects: readonly T[], by: string, of: (one: T) => unknown = (one) => one): T[] {
  const path = new JsonPath(relaxedPath(by));
  const keyed = objects.map((object) => ({ object, key: path.results(of(object))[0]?.[0] }));
  if (keyed.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new KubectlError(`couldn't find any field with path ${JSON.stringify(relaxedPath(by))} in the list of objects`);
  }
  const less = (left: unknown, right: unknown): boolean => left === undefined || (right !== undefined && isLess(left, right));
  return sortLikeGo(keyed, (left, right) => less(left.key, right.key)).map(({ object }) => object);
}

/** Sorts the rows of a table; undefined when they cannot be sorted, which kubectl prints as an empty one. */
export function sortTable(table: JsonObject, by: string): JsonObject | undefined {
  if (by === '' || !Array.isArray(table['rows']) || table['rows'].length < 2) return table;
  const rows = objectsAt(table, 'rows');
  try {
    return { ...table, rows: sortObjects(rows, by, (row) => row['object']) };
  } catch (error) {
    if (error instanceof KubectlError) return undefined;
    throw error;
  }
}

/** Whether one value is before another one. Cf. kubectl get isLess, whose values are those of decoded JSON. @throws UnsortableError */
function isLess(left: unknown, right: unknown): boolean {
  if (left === null || right === null) return left === null && right !== null;
  if (typeof left !== 'string' && typeof left !== 'number') throw new UnsortableError(`unsortable type: ${goTypeOf(left)}`);
  if (goTypeOf(left) !== goTypeOf(right)) throw new UnsortableError('unsortable interface: interface');
  const [a, b] = [String(left), String(right)];
  if (typeof left === 'number') return left < Number(right);
  return isQuantity(a) && isQuantity(b) ? compareQuantities(parseQuantity(a), parseQuantity(b)) < 0 : a < b;
}

/** A field whose values have no order, which ends kubectl. */
class UnsortableError extends Error {}

/** Runs what sorts, and prints an UnsortableError like kubectl's log. @throws PlainError */
export async function withSortFailures(call: Call, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UnsortableError)) throw error;
    const field = relaxedPath(call.flags.text('sort-by'));
    const text = `Field ${field} in *unstructured.Unstructured is an unsortable type: interface, err: ${error.message}`;
    throw new PlainError(logLine(call, 'F', 'sorter.go:329', text));
  }
}

function goTypeOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** Go sorts slices up to this length by insertion, which matters for objects without the field: each is before all others. */
const insertionMax = 12;

function sortLikeGo<T>(items: T[], less: (left: T, right: T) => boolean): T[] {
  if (items.length > insertionMax) return items.sort((left, right) => (less(left, right) ? -1 : less(right, left) ? 1 : 0));
  for (let end = 1; end < items.length; end++) {
    for (let at = end; at > 0; at--) {
      const [before, item] = [items[at - 1] as T, items[at] as T];
      if (!less(item, before)) break;
      items[at - 1] = item;
      items[at] = before;
    }
  }
  return items;
}
