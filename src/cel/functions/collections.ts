import { compare, equalResults } from '../values/equality.ts';
import { ListValue } from '../values/list.ts';
import { EntriesMap, type MapValue } from '../values/map.ts';
import { Failure, type Result, Uint, type Value } from '../values/value.ts';
import { add, listContains } from './arithmetic.ts';
import type { Functions } from './functions.ts';

export const collections: Functions = {
  'cel.@mapInsert': insert,
  isSorted: (list: ListValue): Result => list.values.every((one, i) => i === 0 || !(Number(compare(list.at(i - 1) as Value, one)) > 0)),
  max: (list: ListValue): Result => extreme('max', list, (order) => order < 0),
  min: (list: ListValue): Result => extreme('min', list, (order) => order > 0),
  sum,
  'sets.contains': containsAll,
  'sets.equivalent': (a: ListValue, b: ListValue): Result => {
    const contained = containsAll(a, b);
    return contained === true ? containsAll(b, a) : contained;
  },
  'sets.intersects': (a: ListValue, b: ListValue): Result => a.values.some((one) => listContains(b, one) === true),
  '@sortByAssociatedKeys': sortBy,
  distinct,
  flatten,
  'lists.range': (count: bigint): Result => ListValue.of(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i))),
  reverse: (list: ListValue): Result => ListValue.of([...list.elements].reverse()),
  slice,
  sort: (list: ListValue): Result => sortBy(list, list),
};

function insert(map: MapValue, ...rest: readonly Value[]): Result {
  const own = map as EntriesMap;
  const target = own.growing ? own : EntriesMap.of(own.keys.map((key) => [key, own.find(key) ?? null]));
  const added = rest.length === 2 ? [rest as [Value, Value]] : entriesOf(rest[0] as MapValue);
  for (const [key, value] of added) {
    if (target.find(key) !== undefined) return new Failure(`insert failed: key ${key instanceof Uint ? key.value : key} already exists`);
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
  return others.reduce((best, one) => (better(Number(compare(best, one))) ? one : best), first);
}

/** Undefined for nothing: its zero depends on the list's type. */
function sum(list: ListValue): Result | undefined {
  let total: Result | undefined;
  for (const one of list.elements) {
    if (one instanceof Failure) return one;
    total = total === undefined ? one : add(total as Value, one);
    if (total instanceof Failure) return total;
  }
  return total;
}

function containsAll(list: ListValue, part: ListValue): Result {
  for (const one of part.values) {
    const found = listContains(list, one);
    if (found !== true) return found;
  }
  return true;
}

function distinct(list: ListValue): Result {
  const kept: Result[] = [];
  for (const one of list.elements) if (!kept.some((other) => equalResults(one, other) === true)) kept.push(one);
  return ListValue.of(kept);
}

function flatten(list: ListValue, depth = 1n): Result {
  if (depth < 0n) return new Failure('level must be non-negative');
  const flat = (elements: readonly Result[], left: bigint): readonly Result[] =>
    elements.flatMap((one) => (one instanceof ListValue && left > 0n ? flat(one.elements, left - 1n) : [one]));
  return ListValue.of(flat(list.elements, depth));
}

function slice(list: ListValue, start: bigint, end: bigint): Result {
  const where = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new Failure(`${where}, negative indexes not supported`);
  if (start > end) return new Failure(`${where}, start index must be less than or equal to end index`);
  if (end > BigInt(list.size)) return new Failure(`${where}, list is length ${list.size}`);
  return ListValue.of(list.elements.slice(Number(start), Number(end)));
}

function sortBy(list: ListValue, keys: ListValue): Result {
  const order = keys.values.map((_, i) => i);
  let failure: Failure | undefined;
  order.sort((a, b) => {
    const difference = compare(keys.at(a) as Value, keys.at(b) as Value);
    if (typeof difference === 'number') return difference;
    failure ??= new Failure('list elements must have the same type');
    return 0;
  });
  return failure ?? ListValue.of(order.map((i) => list.at(i)));
}
