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
  const open: Part[] = isPart(value) ? [value] : [];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part === emptyMap || (Array.isArray(part) && part.length === 0)) return true;
    if (Array.isArray(part)) pushItems(part, open);
    else pushMembers(part as JsonObject, open);
  }
  return false;
}

type Part = readonly Json[] | JsonObject;

function isPart(value: Json | undefined): value is Part {
  return typeof value === 'object' && value !== null;
}

function pushItems(list: readonly Json[], open: Part[]): void {
  for (const item of list) if (isPart(item)) open.push(item);
}

function pushMembers(object: JsonObject, open: Part[]): void {
  // Faster than `in` and Object.values where there are many members.
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (isPart(member)) open.push(member);
  }
}
