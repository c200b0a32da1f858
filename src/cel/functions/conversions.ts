import { DurationError, decodeUtf8, ownMember, parseDuration } from '../../meta/index.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import {
  codePoints,
  Duration,
  Failure,
  maxUint,
  OpaqueValue,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts';
import { intOf, uintOf } from './arithmetic.ts';
import type { Functions } from './functions.ts';
import { Cidr, Ip } from './network.ts';
import { durationOf, formatSeconds, formatTimestamp, parseTimestamp, timestampOf } from './times.ts';
import { typeNameOf, typeValueOf } from './type-of.ts';

export const conversions: Functions = {
  bool: (value: Value): Result => (typeof value === 'string' ? (ownMember(truths, value) ?? wrongConversion(value, 'bool')) : value),
  bytes: (value: Value): Result => (typeof value === 'string' ? new TextEncoder().encode(value) : value),
  double: toDouble,
  duration: toDuration,
  dyn: (value: Value): Result => value,
  int: toInt,
  size: (value: Value): Result => BigInt(lengthOf(value)),
  string: toText,
  timestamp: toTimestamp,
  type: (value: Value): Result => typeValueOf(value),
  uint: toUint,
};

function wrongConversion(value: Value, to: string): Failure {
  return new Failure(`type conversion error from '${typeNameOf(value)}' to '${to}'`);
}

const truths: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

function lengthOf(value: Value): number {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof Uint8Array) return value.length;
  return value instanceof ListValue || value instanceof MapValue ? value.size : 0;
}

function toInt(value: Value): Result {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return intOf(value.value);
  if (value instanceof Duration) return value.nanos;
  if (value instanceof Timestamp)
    return (value.nanos - (((value.nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)) / 1_000_000_000n;
  if (typeof value === 'number') {
    const inside = value > -(2 ** 63) && value < 2 ** 63;
    return inside ? BigInt(Math.trunc(value)) : new Failure('integer overflow');
  }
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value)) return wrongConversion(value, 'int');
  const number = intOf(BigInt(value.replace(/^\+/, '')));
  return number instanceof Failure ? wrongConversion(value, 'int') : number;
}

function toUint(value: Value): Result {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return uintOf(value);
  if (typeof value === 'number') {
    const inside = value >= 0 && value < 2 ** 64;
    return inside ? new Uint(BigInt(Math.trunc(value))) : new Failure('unsigned integer overflow');
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value) || BigInt(value) > maxUint) return wrongConversion(value, 'uint');
  return new Uint(BigInt(value));
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function toDouble(value: Value): Result {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  const text = String(value);
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : wrongConversion(value, 'double');
}

function toDuration(value: Value): Result {
  if (value instanceof Duration) return value;
  if (typeof value !== 'string') return wrongConversion(value, 'google.protobuf.Duration');
  try {
    return durationOf(parseDuration(value));
  } catch (error) {
    if (error instanceof DurationError) return wrongConversion(value, 'google.protobuf.Duration');
    throw error;
  }
}

function toTimestamp(value: Value): Result {
  if (typeof value === 'bigint') return timestampOf(value * 1_000_000_000n);
  if (typeof value !== 'string') return value;
  return parseTimestamp(value) ?? wrongConversion(value, 'google.protobuf.Timestamp');
}

/** The result of `string(x)` and `%s`. */
export function toText(value: Value): Result {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatSeconds(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Ip || value instanceof Cidr) return value.toString();
  if (value instanceof Uint8Array) return decodeUtf8(value) ?? new Failure('invalid UTF-8 in bytes, cannot convert to string');
  return value instanceof OpaqueValue ? wrongConversion(value, 'string') : new Failure('no such overload');
}

/** Go's %g: the shortest digits that parse to the same value. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 6)) return Object.is(value, -0) ? '-0' : String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
