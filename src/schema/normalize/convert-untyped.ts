import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import type { ListSchema, MapSchema, ScalarSchema, Schema, StructSchema } from '../schema.ts';
import { DecodeError, goItemType, goType } from './decode-error.ts';
import { checkScalar } from './decode-scalars.ts';

/**
 * What stands between a merged map of values and the typed struct (cf. apimachinery DefaultUnstructuredConverter): it has rules and
 * words of its own. Whole numbers are cut to the width of their field, whole fractions become integers; fields that no schema knows
 * stay for the decoder. The result decodes without a mismatch.
 *
 * @throws DecodeError `cannot restore slice from string`, `unrecognized type: int32`, …
 */
export function convertUntyped(schema: StructSchema, value: JsonObject): JsonObject {
  return convertStruct(schema, value);
}

interface Place {
  readonly struct: string;
  readonly field: string;
  /** Of the field itself, or of what it holds. */
  readonly goType: typeof goType;
}

function convert(schema: Schema, value: Json, place: Place): Json {
  if (value === null) return null;
  switch (schema.form) {
    case 'scalar':
      return convertScalar(schema, value, place);
    case 'list':
      return convertList(schema, value, place);
    case 'map':
      return convertMap(schema, value, place);
    case 'struct':
      return convertStruct(schema, value);
    case 'untyped':
      return value;
  }
}

function convertStruct(schema: StructSchema, value: Json): JsonObject {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore struct from: ${goKind(value)}`);
  const converted: Record<string, Json | undefined> = { ...value };
  for (const { name, schema: member } of schema.fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given !== undefined) converted[name] = convert(member, given, { struct: schema.name, field: name, goType });
  }
  return converted;
}

function convertMap({ values }: MapSchema, value: Json, place: Place): Json {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore map from ${goKind(value)}`);
  const inside = { ...place, goType: goItemType };
  const converted: Record<string, Json> = {};
  for (const name of Object.keys(value)) setMember(converted, name, convert(values, value[name] ?? null, inside));
  return converted;
}

function convertList({ items }: ListSchema, value: Json, place: Place): Json {
  if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  const inside = { ...place, goType: goItemType };
  return value.map((item: Json) => convert(items, item, inside));
}

function convertScalar(schema: ScalarSchema, value: Json, place: Place): Json {
  const { type } = schema;
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value;
      // Go can make text of a whole number, and so refuses that in other words.
      throw goKind(value) === 'int64' ? cannotConvert(value, place.goType(schema, place.struct, place.field)) : unrecognized(type);
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw unrecognized(type);
    case 'int32':
    case 'int64':
      return convertInteger(type, value);
    case 'double':
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
      throw unrecognized('float64');
    default:
      return convertSelfReading(schema, value);
  }
}

function convertInteger(type: 'int32' | 'int64', value: Json): Json {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw unrecognized(type);
  if (typeof value === 'number' && !Number.isInteger(value)) throw cannotConvert(value, type);
  const exact = BigInt(value);
  // A fraction beyond 64 bits becomes the lowest integer, of which 32 bits are nothing.
  const whole = BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n);
  const cut = BigInt.asIntN(type === 'int32' ? 32 : 64, whole);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}

/** Bytes, times, quantities: read as JSON, without knowing where they stand. */
function convertSelfReading({ type }: ScalarSchema, value: Json): Json {
  if (type === 'bytes' && typeof value !== 'string') throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  const result = checkScalar(type, value, () => undefined);
  if (result === undefined) return value;
  if (result.ok) return result.value;
  if ('error' in result) throw type === 'bytes' ? new DecodeError(`error decoding from json: ${result.error.message}`) : result.error;
  throw new DecodeError(`json: cannot unmarshal ${result.found} into Go value of type ${result.type ?? type}`);
}

function cannotConvert(value: Json, type: string): DecodeError {
  return new DecodeError(`cannot convert ${goKind(value)} to ${type}`);
}

function unrecognized(kind: string): DecodeError {
  return new DecodeError(`unrecognized type: ${kind}`);
}

/** What a decoded value is in Go. */
function goKind(value: Json): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'int64' : 'float64';
    case 'string':
      return 'string';
    default:
      return 'map';
  }
}
