import { EqualIndex } from './equal-index.ts';
import { ListValue } from './list.ts';
import { EntriesMap, MapValue } from './map.ts';
import {
  Duration,
  Failure,
  isFailure,
  noSuchOverload,
  OpaqueValue,
  OptionalValue,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** Values of different types are not equal; comparing a list or object with a schema to another type fails. */
export function equal(a: Value, b: Value): boolean | Failure {
  if (a === null || b === null) return a === b;
  const number = numberOf(a);
  if (number !== undefined) {
    const other = numberOf(b);
    // biome-ignore lint/suspicious/noDoubleEquals: compares a bigint with a number exactly
    return other !== undefined && number == other;
  }
  return typeof a === 'object' ? equalObjects(a, b) : a === b;
}

function equalObjects(a: Exclude<Value, null | boolean | number | bigint | string>, b: Value): boolean | Failure {
  if (a instanceof ListValue) return b instanceof ListValue ? equalLists(a, b) : differs(a.ofSchema);
  if (a instanceof MapValue) return b instanceof MapValue ? equalMaps(a, b) : differs(!(a instanceof EntriesMap));
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b);
  if (!(a instanceof OpaqueValue)) return false;
  return b instanceof OpaqueValue && b.typeName === a.typeName ? a.equals(b) : noSuchOverload();
}

function differs(ofSchema: boolean): boolean | Failure {
  return ofSchema ? noSuchOverload() : false;
}

function equalOptionals(a: OptionalValue, b: OptionalValue): boolean | Failure {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

/** Passes failures on. */
export function equalResults(a: Result, b: Result): boolean | Failure {
  if (isFailure(a)) return a;
  return isFailure(b) ? b : equal(a, b);
}

function equalLists(a: ListValue, b: ListValue): boolean | Failure {
  if (a.size !== b.size) return false;
  if (a.listKind.kind === 'set') {
    const index = EqualIndex.of(a.elements);
    return b.elements.every((one) => index?.has(one) ?? a.elements.some((other) => equalResults(other, one) === true));
  }
  if (a.listKind.kind === 'map') return equalMapLists(a, b, a.listKind.keys);
  for (let i = 0; i < a.size; i += 1) {
    const same = equalResults(a.at(i), b.at(i));
    if (same !== true) return same;
  }
  return true;
}

/** Elements of lists with map keys are compared by key, in any order. */
function equalMapLists(a: ListValue, b: ListValue, keys: readonly string[]): boolean | Failure {
  const byKey = new Map(a.elements.map((one) => [mapKey(one, keys), one]));
  for (const other of b.elements) {
    const one = byKey.get(mapKey(other, keys));
    if (one === undefined) return false;
    const same = equalResults(one, other);
    if (same !== true) return same;
  }
  return true;
}

/** The keys of an element of a list with map keys, as one text. */
export function mapKey(element: Result, keys: readonly string[]): string {
  if (!(element instanceof MapValue)) return '';
  return keys.map((key) => describeKey(element.find(key))).join('\0');
}

function describeKey(value: Result | undefined): string {
  return value === undefined ? '' : `${typeof value} ${value}`;
}

function equalMaps(a: MapValue, b: MapValue): boolean | Failure {
  if (a.equals) return a.equals(b);
  if (a.size !== b.size) return false;
  for (const key of a.keys) {
    const other = b.find(key);
    if (other === undefined) return false;
    const same = equalResults(a.find(key) as Result, other);
    if (same !== true) return same;
  }
  return true;
}

/** Negative, zero or positive; a failure for incomparable values. */
export function compare(a: Value, b: Value): number | Failure {
  const left = numberOf(a);
  const right = numberOf(b);
  if (Number.isNaN(left)) return new Failure('NaN values cannot be ordered');
  if (left !== undefined && right !== undefined) return compareNumbers(left, right);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos);
  return noSuchOverload();
}

/** Integers are rounded to doubles for comparison with one. */
function compareNumbers(a: bigint | number, b: bigint | number): number | Failure {
  if (Number.isNaN(b)) return new Failure('NaN values cannot be ordered');
  return typeof a === typeof b ? order(a, b) : order(Number(a), Number(b));
}

function order(a: bigint | number, b: bigint | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function numberOf(value: Value): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

/** Compares code points, the order of UTF-8. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return compareBytes(new TextEncoder().encode(a), new TextEncoder().encode(b));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
