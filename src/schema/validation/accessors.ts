import { isJsonObject, isSameAmount, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { emptyMap } from '../normalize/empty-collections.ts';
import type { Schema } from '../schema.ts';

/** Accessors for members of decoded objects: each member has its declared type or is absent. */
export type Dict = Readonly<Record<string, Json>>;

export { textAt, textsAt } from '../../meta/index.ts';

const nothing: JsonObject = {};

export function joinPath(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** Undefined when absent. */
export function optionalTextAt(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** A field of 64 bits, whose errors show more digits than a number has. */
export function int64At(object: JsonObject | undefined, field: string): number | bigint | undefined {
  const value = object?.[field];
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

export function booleanAt(object: JsonObject | undefined, field: string): boolean | undefined {
  const value = object?.[field];
  return typeof value === 'boolean' ? value : undefined;
}

/** The list under `field`; empty when absent. */
export function listAt(object: JsonObject | undefined, field: string): readonly Json[] {
  const value = object?.[field];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The list of objects under `field`. */
export function objectsAt(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  return listAt(object, field).map(objectAt);
}

/** The struct or map under `field`; empty when absent. */
export function recordAt(object: JsonObject | undefined, field: string): Dict {
  return objectAt(object?.[field]) as Dict;
}

/** Undefined when absent. */
export function optionalRecordAt(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isJsonObject(value) ? value : undefined;
}

export function objectAt(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : nothing;
}

/**
 * Semantic equality as in Go: absent, null, an empty list and an empty map are equal. With a schema, amounts are equal by value. Cf.
 * apimachinery equality.Semantic.
 */
export function isSemanticallyEqual(a: Json | undefined, b: Json | undefined, schema?: Schema): boolean {
  if (a === b) return true;
  if (isEmptyValue(a) || isEmptyValue(b)) return isEmptyValue(a) && isEmptyValue(b);
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    const items = schema?.form === 'list' ? schema.items : undefined;
    return a.every((item: Json, index) => isSemanticallyEqual(item, (b as readonly Json[])[index], items));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return names.every((name) => isSemanticallyEqual(ownValue(a, name), ownValue(b, name), memberSchema(schema, name)));
  }
  if (schema?.form === 'scalar' && schema.type === 'Quantity') return typeof a === 'string' && typeof b === 'string' && isSameAmount(a, b);
  return typeof a === 'bigint' || typeof b === 'bigint' ? String(a) === String(b) : false;
}

/** The schema of a member of a map or struct. */
export function memberSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.form === 'map') return schema.values;
  return schema?.form === 'struct' ? schema.byName.get(name)?.schema : undefined;
}

/** A text that is equal for semantically equal values, to look them up in a set. */
export function semanticKey(value: Json | undefined): string {
  if (isEmptyValue(value)) return 'null';
  if (Array.isArray(value)) return `[${value.map(semanticKey).join()}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const names = Object.keys(value).filter((name) => !isEmptyValue(value[name]));
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${semanticKey(value[name])}`)
    .join()}}`;
}

/** Omits empty members, as in errors for values with a custom JSON form. */
export function omitEmpties(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => omitEmpties(item) ?? null);
  if (!isJsonObject(value)) return value;
  const members: { [name: string]: Json | undefined } = {};
  for (const name of Object.keys(value)) {
    const member = omitEmpties(value[name]);
    if (member !== undefined && !isEmptyValue(value[name])) setMember(members, name, member);
  }
  return members as JsonObject;
}

function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether a value is absent, or an empty list or map. */
export function isEmptyValue(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : value === emptyMap;
}
