import {
  Base64Error,
  bytesToBase64,
  type Json,
  jsonKind,
  normalizeBase64,
  normalizeQuantity,
  normalizeTime,
  QuantityError,
  TimeError,
} from '../../meta/index.ts';
import type { ScalarType } from '../schema.ts';
import { DecodeError } from './decode-error.ts';

/**
 * Result of decoding a scalar. Go records a wrong type and continues (the first one is reported at the end); a type with its own
 * unmarshaler (times, quantities) ends decoding at once.
 */
export type ScalarResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly fatal: boolean; readonly found: string; readonly type?: string }
  | { readonly ok: false; readonly fatal: boolean; readonly error: DecodeError };

/** The literal of a number that differs from its canonical form: `1.0`, `1e3`. */
export type ReadLiteral = () => string | undefined;

const maxInt32 = 2 ** 31 - 1;
const integer = /^-?\d+$/;

/** @returns undefined when `value` can be used as it is */
export function decodeScalar(type: ScalarType, value: Json, literal: ReadLiteral): ScalarResult | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : typeMismatch(value);
    case 'bool':
      return typeof value === 'boolean' ? undefined : typeMismatch(value);
    case 'int32':
    case 'int64':
      return decodeInteger(type, value, literal, false);
    case 'double':
      if (typeof value === 'bigint') return { ok: true, value: Number(value) };
      return typeof value === 'number' ? undefined : typeMismatch(value);
    case 'bytes':
      if (Array.isArray(value)) return decodeByteList(value);
      return typeof value === 'string' ? decodeBytes(value) : typeMismatch(value);
    case 'Time':
    case 'MicroTime':
      return typeof value === 'string' ? decodeTime(type, value) : { ...typeMismatch(value), fatal: true, type: 'string' };
    case 'Duration':
      return typeof value === 'string' ? undefined : { ...typeMismatch(value), fatal: true, type: 'string' };
    case 'Quantity':
      return decodeQuantity(value, literal);
    case 'IntOrString':
      return typeof value === 'string' ? undefined : decodeInteger('int32', value, literal, true);
    case 'any':
      return undefined;
  }
}

/** The zero value of a type. */
export function zeroValueOf(type: ScalarType): Json {
  switch (type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'bytes':
    case 'Time':
    case 'MicroTime':
      return null;
    case 'Duration':
      return '0s';
    case 'Quantity':
      return '0';
    default:
      return 0;
  }
}

function typeMismatch(value: Json): { readonly ok: false; readonly fatal: boolean; readonly found: string } {
  return { ok: false, fatal: false, found: jsonKind(value) };
}

function decodeInteger(type: 'int32' | 'int64', value: Json, literal: ReadLiteral, fatal: boolean): ScalarResult | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return { ...typeMismatch(value), fatal, type };
  const spelled = literal();
  const fits =
    typeof value === 'number'
      ? Number.isInteger(value) && (type === 'int64' || (value <= maxInt32 && value >= -maxInt32 - 1))
      : type === 'int64' && BigInt.asIntN(64, value) === value;
  if (fits && (spelled === undefined || integer.test(spelled))) return undefined;
  return { ok: false, fatal, found: `number ${spelled ?? value}`, type };
}

function decodeBytes(value: string): ScalarResult | undefined {
  try {
    const normal = normalizeBase64(value);
    return normal === value ? undefined : { ok: true, value: normal };
  } catch (error) {
    if (error instanceof Base64Error) return { ok: false, fatal: false, error: new DecodeError(error.message, error) };
    throw error;
  }
}

/** Bytes may also be a list of numbers; null is zero. */
function decodeByteList(list: readonly Json[]): ScalarResult {
  const isByte = (item: Json): boolean => item === null || (typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255);
  const wrong = list.find((item) => !isByte(item));
  if (wrong !== undefined) {
    const found = typeof wrong === 'number' || typeof wrong === 'bigint' ? `number ${wrong}` : jsonKind(wrong);
    return { ok: false, fatal: false, found, type: 'uint8' };
  }
  return { ok: true, value: bytesToBase64(Uint8Array.from(list, Number)) };
}

function decodeTime(type: 'Time' | 'MicroTime', value: string): ScalarResult {
  try {
    const time = normalizeTime(value, type);
    // Go's zero time is encoded as null.
    return { ok: true, value: time.startsWith('0001-01-01T00:00:00') ? null : time };
  } catch (error) {
    if (error instanceof TimeError) return { ok: false, fatal: true, error: new DecodeError(error.message, error) };
    throw error;
  }
}

function decodeQuantity(value: Json, literal: ReadLiteral): ScalarResult {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? '{' : (literal() ?? String(value));
  try {
    return { ok: true, value: normalizeQuantity(text) };
  } catch (error) {
    if (error instanceof QuantityError) return { ok: false, fatal: true, error: new DecodeError(error.message, error) };
    throw error;
  }
}
