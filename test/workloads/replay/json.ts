import { isJsonObject, type Json, type JsonObject } from '../../../src/meta/index.ts';

/** The value at a path of members; undefined when a part of it is absent. */
export function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), value);
}

/** The object at a path; empty when it is absent. */
export function objectAt(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  const found = valueAt(value, ...keys);
  return isJsonObject(found) ? found : {};
}

/** The objects of the array at a path; empty when it is absent. */
export function objectsAt(value: Json | undefined, ...keys: readonly string[]): readonly JsonObject[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** The text at a path; empty when it is absent. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string {
  const found = valueAt(value, ...keys);
  return found === undefined || found === null ? '' : String(found);
}

/** The members that `isWanted` selects. */
export function pick(object: JsonObject, isWanted: (name: string, value: Json) => boolean): Record<string, Json> {
  const members = Object.entries(object).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(members.filter(([name, value]) => isWanted(name, value)));
}

/** JSON with the members of objects in order of their names. */
export function sortedJson(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member;
  return JSON.stringify(value, sorted) ?? 'undefined';
}

/** Compares values by a text of them. */
export const byText =
  <T>(textOf: (value: T) => string) =>
  (a: T, b: T): number => {
    const [first, second] = [textOf(a), textOf(b)];
    if (first === second) return 0;
    return first < second ? -1 : 1;
  };
