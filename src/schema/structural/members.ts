import { type Json, type JsonObject, setMember } from '../../meta/index.ts';

/** Names and values of an object's members. */
export function membersOf(object: JsonObject): readonly (readonly [name: string, value: Json])[] {
  const members: [string, Json][] = [];
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) members.push([name, value]);
  }
  return members;
}

/** Maps the items of a list; returns the same list when nothing changes, so that large values are not copied. */
export function mapItems(items: readonly Json[], change: (item: Json, index: number) => Json): readonly Json[] {
  let changed: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const next = change(item, index);
    if (next === item && !changed) continue;
    changed ??= items.slice(0, index);
    changed.push(next);
  }
  return changed ?? items;
}

/** Maps the members of an object, dropping those mapped to undefined; returns the same object when nothing changes. */
export function mapMembers(object: JsonObject, change: (name: string, member: Json) => Json | undefined): JsonObject {
  const next: Record<string, Json> = {};
  let isSame = true;
  for (const name of Object.keys(object)) {
    const member = object[name];
    const changed = member === undefined ? undefined : change(name, member);
    if (changed !== member || member === undefined) isSame = false;
    if (changed !== undefined) setMember(next, name, changed);
  }
  return isSame ? object : next;
}
