import { isJsonObject, type Json, type JsonObject } from '../meta/index.ts';

/** An object under construction, not shared yet. */
export type Draft = { [name: string]: Json | undefined };

/** Reads an own member: `__proto__` and `constructor` are ordinary names. Absent and undefined are the same. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns a mutable copy. Spreading copies own members only, including `__proto__`. */
export function draftOf(object: JsonObject): Draft {
  return { ...object };
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Deep equality: the order of members does not matter, 1 equals 1.0, an undefined member equals an absent one. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameNumber(a, b);
  if (isJsonArray(a)) return isJsonArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  return isJsonObject(a) && isJsonObject(b) && sameObject(a, b);
}

function sameNumber(a: unknown, b: unknown): boolean {
  return typeof a === 'bigint'
    ? typeof b === 'number' && Number(a) === b
    : typeof b === 'bigint' && typeof a === 'number' && Number(b) === a;
}

function sameObject(a: JsonObject, b: JsonObject): boolean {
  let members = 0;
  for (const name of Object.keys(a)) {
    const value = a[name];
    if (value === undefined) continue;
    members++;
    const other = member(b, name);
    if (other === undefined || !sameJson(value, other)) return false;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined) members--;
  return members === 0;
}

/** Names of members with a value, in order. */
export function memberNames(object: JsonObject): string[] {
  const names = Object.keys(object);
  // Most objects have a value for each name and need no copy.
  for (const name of names) if (object[name] === undefined) return names.filter((one) => object[one] !== undefined);
  return names;
}

/** Number of parts or members per step: some milliseconds. */
export const partsPerStep = 10_000;

/** `memberNames` in steps: the names of a large object alone take one. */
export function* memberNamesInSteps(object: JsonObject): Generator<void, string[]> {
  const names = Object.keys(object);
  if (names.length < partsPerStep) return names.filter((name) => object[name] !== undefined);
  const present: string[] = [];
  for (const [index, name] of names.entries()) {
    if (index % partsPerStep === 0) yield;
    if (object[name] !== undefined) present.push(name);
  }
  return present;
}
