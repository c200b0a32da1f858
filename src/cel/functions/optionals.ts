import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { Duration, Failure, OptionalValue, type Result, Timestamp, Uint, type Value } from '../values/value.ts';
import type { Functions } from './functions.ts';

export const optionals: Functions = {
  first: (list: ListValue): Result => elementOf(list, 0),
  last: (list: ListValue): Result => elementOf(list, list.size - 1),
  hasValue: (optional: OptionalValue): Result => optional.value !== undefined,
  value: (optional: OptionalValue): Result =>
    optional.value ?? (optional.value === null ? null : new Failure('optional.none() dereference')),
  'optional.none': (): Result => new OptionalValue(undefined),
  'optional.of': (value: Value): Result => new OptionalValue(value),
  'optional.ofNonZeroValue': (value: Value): Result => new OptionalValue(isZero(value) ? undefined : value),
  'optional.unwrap': unwrapAll,
  unwrapOpt: unwrapAll,
};

function elementOf(list: ListValue, index: number): Result {
  return new OptionalValue(list.size === 0 ? undefined : (list.at(index) as Value));
}

function unwrapAll(list: ListValue): Result {
  return ListValue.of(list.values.flatMap((one) => (one instanceof OptionalValue && one.value !== undefined ? [one.value] : [])));
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Timestamp) return value.nanos === -62_135_596_800_000_000_000n;
  return value instanceof Duration && value.nanos === 0n;
}
