import type { Json, JsonObject } from '../../meta/index.ts';

/**
 * Which empty lists and maps decoding keeps. In Go they are not nil, which some rules tell from nil; those of fields that are always
 * written are owned by whoever sends them; the real server's storage knows none.
 */
export type KeptEmpties = 'none' | 'written' | 'all';

/** An empty map that was sent. An empty struct looks the same, so this one is known by being this very object. */
export const emptyMap: JsonObject = Object.freeze({});

/** Whether there is an empty list or map in it that was sent. Without recursion: values may be nested as deep as JSON goes. */
export function holdsEmpty(value: Json | undefined): boolean {
  const open: object[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'object' && part !== null) open.push(part);
  };
  visit(value);
  for (let part = open.pop(); part; part = open.pop()) {
    if (part === emptyMap) return true;
    if (Array.isArray(part)) {
      if (part.length === 0) return true;
      for (const item of part) visit(item);
    } else {
      // Faster than `in` and Object.values where there are many members.
      for (const name of Object.keys(part)) visit((part as JsonObject)[name]);
    }
  }
  return false;
}
