import { isJsonObject, type JsonObject } from '../../meta/index.ts';

/** The struct under `name`; empty when there is none. */
export function membersOf(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
