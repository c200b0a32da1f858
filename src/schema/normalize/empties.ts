import type { Json, JsonObject } from '../../meta/index.ts';

/**
 * Which empty lists and maps decoding keeps. In Go they are not nil, which some rules tell from nil; those of fields that are always
 * written are owned by whoever sends them; the real server's storage knows none.
 */
export type KeptEmpties = 'none' | 'written' | 'all';

/** An empty map that was sent. An empty struct looks the same, so this one is known by being this very object. */
export const emptyMap: JsonObject = Object.freeze({});

/** Whether there is an empty list or map in it that was sent. */
export function holdsEmpty(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0 || value.some(holdsEmpty);
  if (value === emptyMap) return true;
  // Faster than `in` and Object.values where there are many members.
  for (const name of Object.keys(value)) {
    const member = (value as JsonObject)[name];
    if (typeof member === 'object' && holdsEmpty(member)) return true;
  }
  return false;
}
