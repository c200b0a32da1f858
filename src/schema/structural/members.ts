import type { Json, JsonObject } from '../../meta/index.ts';

/** Names and values of an object's members. */
export function membersOf(object: JsonObject): readonly [name: string, value: Json][] {
  return Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, Json]]));
}
