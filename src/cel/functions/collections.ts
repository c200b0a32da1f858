import { EqualIndex } from '../values/equal-index.ts';
import { compare, equalResults } from '../values/equality.ts';
import { costExceeded, EvaluationEnded } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap, MapValue } from '../values/map.ts';
import { Failure, noSuchOverload, type Result, type Value } from '../values/value.ts';
import { add, listContains } from './arithmetic.ts';
import { toText } from './conversions.ts';
import type { Functions } from './functions.ts';
import { typeNameOf } from './type-of.ts';

export const collections: Functions = {
  'cel.@mapInsert': insert,
  isSorted,
  max: (list: ListValue): Result => extreme('max', list, (order) => order < 0),
  min: (list: ListValue): Result => extreme('min', list, (order) => order > 0),
  sum,
  'sets.contains': containsAll,
  'sets.equivalent': (a: ListValue, b: ListValue): Result => {
    const contained = containsAll(a, b);
    return contained === true ? containsAll(b, a) : contained;
  },
  'sets.intersects': (a: ListValue, b: ListValue): Result => {
    const index = simpleIndex(a, b);
    return a.values.some((one) => (index ? index.has(one) : listContains(b, one)) === true);
  },
  '@sortByAssociatedKeys': sortBy,
  distinct,
  flatten,
  'lists.range': range,
  reverse: (list: ListValue): Result => ListValue.of([...list.elements].reverse()),
  slice,
  sort: (list: ListValue): Result => sortBy(list, list),
};

function insert(map: MapValue, ...rest: readonly Value[]): Result {
  const own = map as EntriesMap;
  const target = own.growing ? own : EntriesMap.of(own.keys.map((key) => [key, own.find(key) ?? null]));
  const added = rest.length === 2 ? [rest as [Value, Value]] : entriesOf(rest[0] as MapValue);
  for (const [key, value] of added) {
    if (target.find(key) !== undefined) return new Failure(`insert failed: key ${toText(key)} already exists`);
    target.set(key, value);
  }
  return target;
}

function entriesOf(map: MapValue): readonly (readonly [Value, Result])[] {
  return map.keys.map((key) => [key, map.find(key) ?? null]);
}

function extreme(name: string, list: ListValue, better: (order: number) => boolean): Result {
  const [first, ...others] = list.values;
  if (first === undefined) return new Failure(`${name} called on empty list`);
  if (!list.values.every(isComparable)) return noSuchOverload();
  return others.reduce((best, one) => (better(Number(compare(best, one))) ? one : best), first);
}

/** Undefined for an empty list: its zero depends on the element type. */
function sum(list: ListValue): Result | undefined {
  let total: Result | undefined;
  for (const one of list.elements) {
    if (one instanceof Failure) return one;
    total = total === undefined ? one : add(total as Value, one);
    if (total instanceof Failure) return total;
  }
  return total;
}

/** An index of the second list, when lookups in it can replace comparisons. */
function simpleIndex(elements: ListValue, within: ListValue): EqualIndex | undefined {
  return EqualIndex.of(elements.elements) && EqualIndex.of(within.elements);
}

function containsAll(list: ListValue, part: ListValue): Result {
  const index = simpleIndex(part, list);
  if (index) return part.values.every((one) => index.has(one));
  for (const one of part.values) {
    const found = listContains(list, one);
    if (found !== true) return found;
  }
  return true;
}

function distinct(list: ListValue): Result {
  const unique: Result[] = [];
  if (EqualIndex.of(list.elements)) {
    const index = new EqualIndex();
    return ListValue.of(list.elements.filter((one) => index.add(one)));
  }
  for (const one of list.elements) if (!unique.some((other) => equalResults(one, other) === true)) unique.push(one);
  return ListValue.of(unique);
}

/** Fails before creating a range that costs more than any evaluation may. */
function range(count: bigint): Result {
  if (count > longestRange) throw new EvaluationEnded(costExceeded);
  return ListValue.of(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)));
}

const longestRange = 1_000_000n;

function flatten(list: Value, depth?: bigint): Result {
  if (list instanceof ListValue) return flattenLists(list, depth ?? 1n);
  const type = list instanceof MapValue ? 'map(dyn, dyn)' : typeNameOf(list);
  return new Failure(`no such overload: ${type}.flatten(${depth === undefined ? '' : 'int'})`);
}

function flattenLists(list: ListValue, depth: bigint): Result {
  if (depth < 0n) return new Failure('level must be non-negative');
  const flat: Result[] = [];
  const visit = (elements: readonly Result[], left: bigint): void => {
    for (const one of elements) {
      if (one instanceof ListValue && left > 0n) visit(one.elements, left - 1n);
      else flat.push(one);
    }
  };
  visit(list.elements, depth);
  return ListValue.of(flat);
}

function slice(list: ListValue, start: bigint, end: bigint): Result {
  const where = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new Failure(`${where}, negative indexes not supported`);
  if (start > end) return new Failure(`${where}, start index must be less than or equal to end index`);
  if (end > BigInt(list.size)) return new Failure(`${where}, list is length ${list.size}`);
  return ListValue.of(list.elements.slice(Number(start), Number(end)));
}

function isSorted(list: ListValue): Result {
  if (!list.values.every(isComparable)) return noSuchOverload();
  return list.values.every((one, i) => i === 0 || !(Number(compare(list.at(i - 1) as Value, one)) > 0));
}

function isComparable(value: Value): boolean {
  return compare(value, value) === 0 || Number.isNaN(value);
}

/** Values without an order (NaN) stay in place. */
function sortBy(list: ListValue, keys: ListValue): Result {
  const [first] = keys.values;
  if (first !== undefined && !isComparable(first)) return new Failure('list elements must be comparable');
  const mixed = keys.values.some((key) => typeNameOf(key) !== typeNameOf(first as Value));
  if (mixed) return new Failure('list elements must have the same type');
  const order = keys.values.map((_, i) => i);
  order.sort((a, b) => {
    const difference = compare(keys.at(a) as Value, keys.at(b) as Value);
    return typeof difference === 'number' ? difference : 0;
  });
  return ListValue.of(order.map((i) => list.at(i)));
}
