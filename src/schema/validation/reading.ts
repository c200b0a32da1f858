import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { emptyMap } from '../normalize/empties.ts';

/** Reading members of objects that went through decoding, so that each has its declared type or is absent. */
export type Dict = Readonly<Record<string, Json>>;

export { textAt, textsAt } from '../../meta/index.ts';

const nothing: JsonObject = {};

export function at(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** Undefined when there is none. */
export function optionalTextAt(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject | undefined, field: string): number | undefined {
  const value = object?.[field];
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

/** As `numberAt`, of fields of 64 bits, whose messages tell more digits than a number has. */
export function wholeAt(object: JsonObject | undefined, field: string): number | bigint | undefined {
  const value = object?.[field];
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

export function booleanAt(object: JsonObject | undefined, field: string): boolean | undefined {
  const value = object?.[field];
  return typeof value === 'boolean' ? value : undefined;
}

/** The list under `field`; empty when there is none. */
export function listAt(object: JsonObject | undefined, field: string): readonly Json[] {
  const value = object?.[field];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The list of objects under `field`. */
export function objectsAt(object: JsonObject | undefined, field: string): readonly JsonObject[] {
  return listAt(object, field).map(objectAt);
}

/** The struct or map under `field`; empty when there is none. */
export function recordAt(object: JsonObject | undefined, field: string): Dict {
  return objectAt(object?.[field]) as Dict;
}

/** Undefined when there is none. */
export function optionalRecordAt(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return isJsonObject(value) ? value : undefined;
}

export function objectAt(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : nothing;
}

/** Deep equality as Go's semantic one: what is absent, null, an empty list and an empty map are the same. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item: Json, index) => isSame(item, (b as readonly Json[])[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(own(a, key), own(b, key)));
  }
  return typeof a === 'bigint' || typeof b === 'bigint' ? String(a) === String(b) : false;
}

/** As errors show a value that has a form of its own in JSON: what is empty inside it is left out. */
export function withoutEmpties(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => withoutEmpties(item) ?? null);
  if (!isJsonObject(value)) return value;
  const told = Object.entries(value).filter(([, member]) => !isNothing(member));
  return Object.fromEntries(told.map(([name, member]) => [name, withoutEmpties(member)]));
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Absent, or an empty list or map. */
export function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : value === emptyMap;
}
