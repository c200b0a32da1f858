import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt, sameJson } from '../../../meta/index.ts';

/** A field manager, from an entry of `managedFields`. */
export interface Manager {
  readonly name: string;
  readonly operation: string;
  readonly subresource: string;
  readonly time: string;
  readonly fields: JsonObject;
}

/** The path of a field: names, and indexes of list items. */
export type FieldPath = readonly (string | number)[];

export function managersOf(object: JsonObject): readonly Manager[] {
  return objectsAt(recordAt(object, 'metadata'), 'managedFields').map((entry) => ({
    name: String(entry['manager'] ?? ''),
    operation: String(entry['operation'] ?? ''),
    subresource: String(entry['subresource'] ?? ''),
    time: String(entry['time'] ?? ''),
    fields: recordAt(entry, 'fieldsV1'),
  }));
}

/** The managers of a change: those whose entries it added or altered. */
export function changedManagers(before: JsonObject, after: JsonObject): string {
  const old = managersOf(before).map((manager) => JSON.stringify(manager));
  return managersOf(after)
    .filter((manager) => !old.includes(JSON.stringify(manager)))
    .map(({ name, operation, subresource }) => `${name} (${`${operation} ${subresource}`.trim().toLowerCase()})`)
    .join(', ');
}

export function pathKey(path: FieldPath): string {
  return JSON.stringify(path);
}

/** The indexes of the managers of each owned field, by `pathKey`. */
export function fieldOwners(object: JsonObject, managers: readonly Manager[]): ReadonlyMap<string, readonly number[]> {
  const owners = new Map<string, number[]>();
  managers.forEach(({ fields }, at) => {
    visitOwned(object, fields, [], (path) => owners.set(pathKey(path), [...(owners.get(pathKey(path)) ?? []), at]));
  });
  return owners;
}

/** Calls `owned` for every path of `value` in a field set. Includes all fields below an atomic one. */
export function visitOwned(value: Json | undefined, fields: JsonObject, path: FieldPath, owned: (path: FieldPath) => void): void {
  for (const [key, below] of Object.entries(fields)) {
    if (key === '.') {
      owned(path);
      continue;
    }
    const step = stepOf(value, key);
    if (step === undefined || !isJsonObject(below)) continue;
    const child = childOf(value, step);
    const whole = Object.keys(below).length === 0;
    if (whole) visitAll(child, [...path, step], owned);
    else visitOwned(child, below, [...path, step], owned);
  }
}

function visitAll(value: Json | undefined, path: FieldPath, owned: (path: FieldPath) => void): void {
  owned(path);
  if (Array.isArray(value)) for (const [at, item] of value.entries()) visitAll(item, [...path, at], owned);
  else if (isJsonObject(value)) for (const [name, member] of Object.entries(value)) visitAll(member, [...path, name], owned);
}

/** Resolves `f:name`, `k:{"name":"web"}`, `v:"text"` or `i:0` in `value`; undefined when the field does not exist. */
function stepOf(value: Json | undefined, key: string): string | number | undefined {
  const [kind, rest] = [key.slice(0, 2), key.slice(2)];
  if (kind === 'f:') return isJsonObject(value) && value[rest] !== undefined ? rest : undefined;
  if (!Array.isArray(value)) return undefined;
  if (kind === 'i:') return Number(rest);
  const wanted: Json = JSON.parse(rest);
  const at = value.findIndex((item) => (kind === 'v:' ? sameJson(item, wanted) : hasKeys(item, wanted)));
  return at < 0 ? undefined : at;
}

/** Keys with a default may be missing in the item. */
function hasKeys(item: Json, keys: Json): boolean {
  if (!isJsonObject(item) || !isJsonObject(keys)) return false;
  return Object.entries(keys).every(([name, value]) => item[name] === undefined || sameJson(item[name], value));
}

function childOf(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return isJsonObject(value) ? value[step] : undefined;
}
