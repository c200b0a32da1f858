import { isJsonObject, type Json, type JsonObject } from '../meta/index.ts';

/** An object under construction: fresh, seen by nobody else. */
export type Draft = { [name: string]: Json | undefined };

/** A member, and only an own one: `__proto__` and `constructor` are names like any other. Absent and undefined are the same. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A copy that may be changed. Spreading copies own members only, `__proto__` among them. */
export function draftOf(object: JsonObject): Draft {
  return { ...object };
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Equality by value: order of members does not matter, 1 is 1.0, an undefined member is an absent one. */
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

/** Names that have a value, in their order. */
export function memberNames(object: JsonObject): string[] {
  const names = Object.keys(object);
  // Most objects have a value under each name: then nothing is copied.
  for (const name of names) if (object[name] === undefined) return names.filter((one) => object[one] !== undefined);
  return names;
}

/** How many parts or members are handled in one step: some milliseconds. */
export const partsInStep = 10_000;

/** `memberNames` in steps: of an object of many members the names alone take one. */
export function* memberNamesInSteps(object: JsonObject): Generator<void, string[]> {
  const names = Object.keys(object);
  if (names.length < partsInStep) return names.filter((name) => object[name] !== undefined);
  const present: string[] = [];
  for (const [index, name] of names.entries()) {
    if (index % partsInStep === 0) yield;
    if (object[name] !== undefined) present.push(name);
  }
  return present;
}
