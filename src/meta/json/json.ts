/** A JSON value: integers beyond 2^53 are bigint, so that int64 is exact. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The name of a JSON value in errors of Go's decoder. */
export function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'object';
    default:
      return 'number';
  }
}

/** Deep equality of JSON values. The order of members does not matter; an absent member equals an undefined one. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return typeof a !== typeof b ? false : Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const name of Object.keys(left)) if (!sameJson(left[name], Object.hasOwn(right, name) ? right[name] : undefined)) return false;
  for (const name of Object.keys(right)) if (right[name] !== undefined && !Object.hasOwn(left, name)) return false;
  return true;
}

/** Sets an own member: assigning to `__proto__` would change the prototype. */
export function setMember(object: { [name: string]: Json | undefined }, name: string, value: Json): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** Reads an own member under a key chosen by a user: every record inherits `constructor` and `toString`. */
export function ownMember<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The text under `name`; empty when absent. */
export function textAt(object: JsonObject | undefined, name: string): string {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
}

/** The objects of the list under `name`. */
export function objectsAt(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

const nothing: JsonObject = {};

/** The struct or map under `name`; empty when absent. */
export function recordAt(object: JsonObject | undefined, name: string): JsonObject {
  const value = object?.[name];
  return isJsonObject(value) ? value : nothing;
}

/** The texts of the list under `name`. */
export function textsAt(object: JsonObject | undefined, name: string): readonly string[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Members without the empty texts, as Go's `omitempty`. */
export function omitEmpty(texts: object): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
