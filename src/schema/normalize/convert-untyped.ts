import { isJsonObject, type Json, type JsonObject, ownMember, setMember } from '../../meta/index.ts';
import type { ListSchema, MapSchema, ScalarSchema, Schema, StructSchema } from '../schema.ts';
import { DecodeError, goItemType, goType } from './decode-error.ts';
import { decodeScalar } from './decode-scalars.ts';
import { hasSameItems, knownItems, knownMembers } from './known-parts.ts';

/**
 * Converts a merged map of values for a typed struct (cf. apimachinery DefaultUnstructuredConverter), with rules and errors of its own.
 * Integers are truncated to the width of their field, floats without a fraction become integers; unknown fields stay for the decoder. The
 * result decodes without a type mismatch, and shares unchanged parts. Parts of `known`, a converted value, are not visited.
 *
 * @throws DecodeError `cannot restore slice from string`, `unrecognized type: int32`, …
 */
export function convertUntyped(schema: StructSchema, value: JsonObject, known?: JsonObject): JsonObject {
  return convertStruct(schema, value, known);
}

interface FieldContext {
  readonly struct: string;
  readonly field: string;
  /** The Go type of the field, or of its items or values. */
  readonly goType: typeof goType;
}

function convert(schema: Schema, value: Json, known: Json | undefined, place: FieldContext): Json {
  if (value === null || value === known) return value;
  switch (schema.form) {
    case 'scalar':
      return convertScalar(schema, value, place);
    case 'list':
      return convertList(schema, value, known, place);
    case 'map':
      return convertMap(schema, value, known, place);
    case 'struct':
      return convertStruct(schema, value, known);
    case 'untyped':
      return value;
  }
}

function convertStruct(schema: StructSchema, value: Json, known: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore struct from: ${goKind(value)}`);
  const before = knownMembers(known);
  let converted: Record<string, Json | undefined> | undefined;
  for (const { name, schema: member } of schema.fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined) continue;
    const next = convert(member, given, before[name], { struct: schema.name, field: name, goType });
    if (next === given) continue;
    converted ??= { ...value };
    converted[name] = next;
  }
  return converted ?? value;
}

function convertMap({ values }: MapSchema, value: Json, known: Json | undefined, place: FieldContext): Json {
  if (!isJsonObject(value)) throw new DecodeError(`cannot restore map from ${goKind(value)}`);
  const inside = { ...place, goType: goItemType };
  const before = knownMembers(known);
  let isSame = true;
  const converted: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    const given = value[name] ?? null;
    const next = convert(values, given, ownMember(before, name), inside);
    isSame &&= next === given;
    setMember(converted, name, next);
  }
  return isSame ? value : converted;
}

function convertList({ items }: ListSchema, value: Json, known: Json | undefined, place: FieldContext): Json {
  if (!Array.isArray(value)) throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  const inside = { ...place, goType: goItemType };
  const before = knownItems(known);
  const converted = value.map((item: Json, index) => convert(items, item, before[index], inside));
  return hasSameItems(converted, value) ? value : converted;
}

function convertScalar(schema: ScalarSchema, value: Json, place: FieldContext): Json {
  const { type } = schema;
  switch (type) {
    case 'string':
      if (typeof value === 'string') return value;
      // Go can convert an integer to a string, so it rejects it with a different message.
      throw goKind(value) === 'int64'
        ? conversionError(value, place.goType(schema, place.struct, place.field))
        : unrecognizedTypeError(type);
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw unrecognizedTypeError(type);
    case 'int32':
    case 'int64':
      return convertInteger(type, value);
    case 'double':
      if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
      throw unrecognizedTypeError('float64');
    default:
      return convertUnmarshaler(schema, value);
  }
}

function convertInteger(type: 'int32' | 'int64', value: Json): Json {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw unrecognizedTypeError(type);
  if (typeof value === 'number' && !Number.isInteger(value)) throw conversionError(value, type);
  const exact = BigInt(value);
  // A float beyond 64 bits becomes the lowest int64, whose lower 32 bits are zero.
  const whole = BigInt.asIntN(64, exact) === exact ? exact : -(2n ** 63n);
  const cut = BigInt.asIntN(type === 'int32' ? 32 : 64, whole);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}

/** Bytes, times and quantities unmarshal their own JSON, so errors have no field path. */
function convertUnmarshaler({ type }: ScalarSchema, value: Json): Json {
  if (type === 'bytes' && typeof value !== 'string') throw new DecodeError(`cannot restore slice from ${goKind(value)}`);
  const result = decodeScalar(type, value, () => undefined);
  if (result === undefined) return value;
  if (result.ok) return result.value;
  if ('error' in result) throw type === 'bytes' ? new DecodeError(`error decoding from json: ${result.error.message}`) : result.error;
  throw new DecodeError(`json: cannot unmarshal ${result.found} into Go value of type ${result.type ?? type}`);
}

function conversionError(value: Json, type: string): DecodeError {
  return new DecodeError(`cannot convert ${goKind(value)} to ${type}`);
}

function unrecognizedTypeError(kind: string): DecodeError {
  return new DecodeError(`unrecognized type: ${kind}`);
}

/** The Go kind of a decoded value. */
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
