import { EqualIndex } from '../values/equal-index.ts';
import { compare, equal, equalResults, mapKey } from '../values/equality.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import {
  Duration,
  Failure,
  fitsInt,
  isFailure,
  maxUint,
  noSuchOverload,
  type Result,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';
import type { Functions } from './functions.ts';
import { durationOf, timestampOf } from './times.ts';

/** Operators that evaluate their operands. */
export const arithmetic: Functions = {
  '!_': (value: Value) => (typeof value === 'boolean' ? !value : noSuchOverload()),
  '-_': (value: Value) => {
    if (typeof value === 'bigint') return intOf(-value);
    if (value instanceof Duration) return durationOf(-value.nanos);
    return typeof value === 'number' ? -value : noSuchOverload();
  },
  '_==_': (a: Value, b: Value) => equal(a, b),
  // Values that cannot be compared are not equal.
  '_!=_': (a: Value, b: Value) => equal(a, b) !== true,
  '_<_': (a: Value, b: Value) => compareWith(a, b, (order) => order < 0),
  '_<=_': (a: Value, b: Value) => compareWith(a, b, (order) => order <= 0),
  '_>_': (a: Value, b: Value) => compareWith(a, b, (order) => order > 0),
  '_>=_': (a: Value, b: Value) => compareWith(a, b, (order) => order >= 0),
  '@in': contains,
  '_+_': add,
  '_-_': subtract,
  '_*_': (a: Value, b: Value) => numbers(a, b, (x, y) => x * y, { int: (x, y) => intOf(x * y), uint: (x, y) => uintOf(x * y) }),
  '_/_': (a: Value, b: Value) =>
    numbers(a, b, (x, y) => x / y, {
      int: (x, y) => (y === 0n ? new Failure('division by zero') : intOf(x / y)),
      uint: (x, y) => (y === 0n ? new Failure('division by zero') : uintOf(x / y)),
    }),
  '_%_': (a: Value, b: Value) =>
    numbers(a, b, () => noSuchOverload(), {
      int: (x, y) => (y === 0n ? new Failure('modulus by zero') : y === -1n && !fitsInt(-x) ? overflow() : x % y),
      uint: (x, y) => (y === 0n ? new Failure('modulus by zero') : new Uint(x % y)),
    }),
};

function overflow(): Failure {
  return new Failure('integer overflow');
}

export function intOf(value: bigint): Result {
  return fitsInt(value) ? value : overflow();
}

export function uintOf(value: bigint): Result {
  return value >= 0n && value <= maxUint ? new Uint(value) : new Failure('unsigned integer overflow');
}

function compareWith(a: Value, b: Value, holds: (order: number) => boolean): Result {
  const order = compare(a, b);
  return typeof order === 'number' ? holds(order) : order;
}

interface Whole {
  readonly int: (a: bigint, b: bigint) => Result;
  readonly uint: (a: bigint, b: bigint) => Result;
}

function numbers(a: Value, b: Value, double: (a: number, b: number) => Result, whole: Whole): Result {
  if (typeof a === 'bigint' && typeof b === 'bigint') return whole.int(a, b);
  if (typeof a === 'number' && typeof b === 'number') return double(a, b);
  return a instanceof Uint && b instanceof Uint ? whole.uint(a.value, b.value) : noSuchOverload();
}

export function add(a: Value, b: Value): Result {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof ListValue && b instanceof ListValue) return addLists(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return concatBytes(a, b);
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanos + b.nanos);
  if (a instanceof Duration && b instanceof Timestamp) return timestampOf(a.nanos + b.nanos, b.offsetMinutes);
  if (a instanceof Timestamp && b instanceof Duration) return timestampOf(a.nanos + b.nanos, a.offsetMinutes);
  return numbers(a, b, (x, y) => x + y, { int: (x, y) => intOf(x + y), uint: (x, y) => uintOf(x + y) });
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

function subtract(a: Value, b: Value): Result {
  if (a instanceof Timestamp && b instanceof Duration) return timestampOf(a.nanos - b.nanos, a.offsetMinutes);
  if ((a instanceof Duration && b instanceof Duration) || (a instanceof Timestamp && b instanceof Timestamp)) {
    return durationOf(a.nanos - b.nanos);
  }
  return numbers(a, b, (x, y) => x - y, { int: (x, y) => intOf(x - y), uint: (x, y) => uintOf(x - y) });
}

/** Sets are united, lists with map keys merge by key, other lists are concatenated. */
function addLists(a: ListValue, b: ListValue): ListValue {
  if (a.growing) {
    a.push(b.elements);
    return a;
  }
  const elements = [...a.elements];
  if (a.listKind.kind === 'plain') for (const one of b.elements) elements.push(one);
  else if (a.listKind.kind === 'set') {
    const index = EqualIndex.of(elements);
    for (const one of b.elements) {
      const isNew = index?.add(one) ?? !elements.some((other) => equalResults(other, one) === true);
      if (isNew) elements.push(one);
    }
  } else {
    const { keys } = a.listKind;
    const places = new Map(elements.map((one, i) => [mapKey(one, keys), i]));
    for (const one of b.elements) elements[places.get(mapKey(one, keys)) ?? elements.length] = one;
  }
  return a.with(elements);
}

function contains(element: Value, container: Value): Result {
  if (container instanceof ListValue) return listContains(container, element);
  if (!(container instanceof MapValue)) return noSuchOverload();
  const found = container.contained ? container.contained(element) : container.find(element);
  return found !== undefined && isFailure(found) ? found : found !== undefined;
}

/** A match hides failures of other comparisons. */
export function listContains(list: ListValue, element: Value): Result {
  let failure: Failure | undefined;
  for (const one of list.elements) {
    const same = equalResults(one, element);
    if (same === true) return true;
    if (same !== false) failure ??= same;
  }
  return failure ?? false;
}
