import { bytesToBase64, isJsonObject, type Json } from '../../meta/index.ts';
import { formatSeconds, formatTimestamp } from '../functions/times.ts';
import { ListValue } from './list.ts';
import { MapValue } from './map.ts';
import { Duration, Failure, OpaqueValue, type Result, Timestamp, Uint, type Value } from './value.ts';

/** The value of `Object.spec{replicas: 1}` and `JSONPatch{op: "add"}` (mutating policies). */
export class StructValue extends OpaqueValue {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof StructValue && JSON.stringify(toComparable(this)) === JSON.stringify(toComparable(other));
  }
}

function toComparable(value: StructValue): unknown {
  const json = jsonOf(value);
  return json instanceof Failure ? json.message : sortKeys(json);
}

function sortKeys(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sortKeys);
  if (typeof json === 'bigint') return `${json}`;
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sortKeys(one)]),
  );
}

/** Converts a value to JSON; a failure for values without a JSON form. */
export function jsonOf(value: Result): unknown {
  if (value instanceof StructValue) return membersOf(Array.from(value.fields));
  if (value instanceof ListValue) {
    const items = value.elements.map(jsonOf);
    return items.find((item) => item instanceof Failure) ?? items;
  }
  if (value instanceof MapValue) {
    const wrong = value.keys.find((key) => typeof key !== 'string');
    if (wrong !== undefined) return new Failure(`map key "${wrong}" is of type ${typeof wrong}, not string`);
    return membersOf(value.keys.map((key) => [key as string, value.find(key) ?? null] as const));
  }
  if (value instanceof Uint) return value.value;
  if (value instanceof Uint8Array) return bytesToBase64(value);
  return value;
}

function membersOf(entries: readonly (readonly [string, Result])[]): unknown {
  const members = entries.map(([name, value]) => [name, jsonOf(value)] as const);
  return members.map(([, json]) => json).find((json) => json instanceof Failure) ?? Object.fromEntries(members);
}

/** Converts the value of a patch to JSON, with whole numbers as numbers, and times and durations as text. */
export function patchJsonOf(value: Value): Json | Failure {
  const json = jsonOf(value);
  return json instanceof Failure ? json : toPlainJson(json);
}

function toPlainJson(json: unknown): Json | Failure {
  if (typeof json === 'bigint') return Number(json);
  if (json instanceof Timestamp) return formatTimestamp(json);
  if (json instanceof Duration) return formatSeconds(json);
  if (json === null || typeof json !== 'object') return json as Json;
  if (Array.isArray(json)) {
    const items = json.map(toPlainJson);
    return items.find((item) => item instanceof Failure) ?? (items as Json);
  }
  if (!isJsonObject(json)) return new Failure('unsupported value in a patch');
  const members = Object.entries(json).map(([name, one]) => [name, toPlainJson(one)] as const);
  return members.map(([, one]) => one).find((one) => one instanceof Failure) ?? (Object.fromEntries(members) as Json);
}

/** Nested object types are named for their path from the root; returns one error per wrong name. */
export function misnamedTypes(value: Value, expected: string): readonly string[] {
  if (value instanceof ListValue) return value.values.flatMap((one) => misnamedTypes(one, expected));
  if (value instanceof MapValue) return value.keys.flatMap((key) => misnamedTypes((value.find(key) ?? null) as Value, expected));
  if (!(value instanceof StructValue)) return [];
  const own = `unexpected type name "${value.typeName}", expected "${expected}", which matches field name path from root Object type`;
  const inner = Array.from(value.fields, ([name, field]) => misnamedTypes(field, `${expected}.${name}`)).flat();
  return value.typeName === expected ? inner : [own, ...inner];
}
