import type { Json, JsonObject } from '../../meta/index.ts';

export interface RuleContext {
  /** RFC 3339, whole seconds. */
  readonly now: string;
}

/** Returns the object with defaults set, or the same object. */
export type DefaultingRule = (object: JsonObject, context: RuleContext) => JsonObject;

export type Rules = Readonly<Record<string, DefaultingRule>>;

/** Sets a member if it is unset. */
export function setDefault(object: JsonObject, name: string, value: Json): JsonObject {
  return isAbsent(object[name]) ? { ...object, [name]: value } : object;
}

export function isAbsent(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** Adds members of `from` that `into` lacks; the result is sorted by key. */
export function addMissing(into: JsonObject, from: JsonObject): JsonObject {
  const missing = Object.keys(from).filter((key) => !Object.hasOwn(into, key));
  if (missing.length === 0) return into;
  if (Object.keys(into).length === 0) return from;
  const all = [...Object.entries(into), ...missing.map((key) => [key, from[key]] as const)];
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}
