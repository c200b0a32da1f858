import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';

const noMembers: JsonObject = {};
const noItems: readonly Json[] = [];

/** The members of a value that was decoded before, at the place of an object; none when there was another value. */
export function knownMembers(known: Json | undefined): JsonObject {
  return isJsonObject(known) ? known : noMembers;
}

/** The items of a value that was decoded before, at the place of a list; none when there was another value. */
export function knownItems(known: Json | undefined): readonly Json[] {
  return Array.isArray(known) ? known : noItems;
}

/** Whether two lists have the same items by reference. */
export function hasSameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
