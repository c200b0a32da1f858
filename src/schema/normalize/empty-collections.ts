import type { Json, JsonObject } from '../../meta/index.ts';

/**
 * Which empty lists and maps the decoder retains. In Go they are not nil, and some rules distinguish that; those in fields without
 * omitempty are owned by their sender; the real server's storage drops them.
 */
export type RetainedEmpties = 'none' | 'written' | 'all';

/** An empty map from the request. Identified by reference, since an empty struct looks the same. */
export const emptyMap: JsonObject = Object.freeze({});

/** Whether a value contains an empty list or map. Without recursion: values may have any JSON depth. */
export function hasEmptyCollection(value: Json | undefined): boolean {
  const open: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part === emptyMap) return true;
    if (Array.isArray(part)) {
      if (part.length === 0) return true;
      for (const item of part) if (typeof item === 'object' && item !== null) open.push(item);
    } else {
      // Faster than `in` and Object.values where there are many members.
      for (const name of Object.keys(part)) {
        const member = (part as JsonObject)[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return false;
}
