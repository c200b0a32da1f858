import { isJsonObject, type Json, type JsonObject, runSteps, setMember } from '../../meta/index.ts';
import { mapItems, mapMembers } from './members.ts';
import type { SchemaNode } from './schema-node.ts';

/** Removes nulls that the schema does not allow, except those to be replaced by a default. Cf. upstream PruneNonNullableNulls. */
export function pruneForbiddenNulls(object: JsonObject, node: SchemaNode | undefined): JsonObject {
  return dropNulls(object, node) as JsonObject;
}

function dropNulls(value: Json, node: SchemaNode | undefined): Json {
  if (!node || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? mapItems(value, (item) => dropNulls(item, items)) : value;
  }
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (name, member) => {
    const own = memberNode(node, name);
    if (member === null && own && !own.nullable && own.default === undefined) return undefined;
    return dropNulls(member, own);
  });
}

function memberNode(node: SchemaNode, name: string): SchemaNode | undefined {
  const own = node.properties.get(name) ?? node.additional;
  return typeof own === 'object' ? own : undefined;
}

/** Sets the schema's defaults for absent members and for nulls that are not allowed. Cf. upstream schema/defaulting. */
export function applyDefaults(object: JsonObject, node: SchemaNode | undefined): JsonObject {
  return runSteps(applyDefaultsInSteps(object, node));
}

/** `withDefaults` in steps of some milliseconds. */
export function* applyDefaultsInSteps(object: JsonObject, node: SchemaNode | undefined): Generator<void, JsonObject> {
  return node && mayHaveDefaults(object, node) ? ((yield* defaultValue(object, node)) as JsonObject) : object;
}

/** Number of items or members per step. */
const stepSize = 1_000;

/** Most values have no defaults; this check is cheaper than the generator. */
function mayHaveDefaults(value: Json, node: SchemaNode | undefined): value is readonly Json[] | JsonObject {
  return node?.contains.defaults === true && typeof value === 'object' && value !== null;
}

function* defaultValue(value: readonly Json[] | JsonObject, node: SchemaNode): Generator<void, Json> {
  return isJsonObject(value) ? yield* defaultObject(value, node) : yield* defaultList(value, node);
}

function* defaultList(list: readonly Json[], { items: node }: SchemaNode): Generator<void, Json> {
  let changed: Json[] | undefined;
  for (const [index, item] of list.entries()) {
    if (index % stepSize === stepSize - 1) yield;
    const given = isForbiddenNull(item, node) ? (node?.default ?? null) : item;
    const next = node && mayHaveDefaults(given, node) ? yield* defaultValue(given, node) : given;
    if (next === item && !changed) continue;
    changed ??= list.slice(0, index);
    changed.push(next);
  }
  return changed ?? list;
}

function* defaultObject(value: JsonObject, node: SchemaNode): Generator<void, Json> {
  const missing = missingDefaults(value, node);
  // Sorted by name, so that an object that was sorted stays so.
  const names = missing.length > 0 ? [...Object.keys(value), ...missing].sort() : Object.keys(value);
  const members: Record<string, Json> = {};
  let isSame = missing.length === 0;
  for (const [index, name] of names.entries()) {
    if (index % stepSize === stepSize - 1) yield;
    const member = Object.hasOwn(value, name) ? value[name] : (node.properties.get(name)?.default ?? null);
    if (member === undefined) continue;
    const own = memberNode(node, name);
    const given = isForbiddenNull(member, own) ? (own?.default ?? null) : member;
    const next = own && mayHaveDefaults(given, own) ? yield* defaultValue(given, own) : given;
    if (next !== member) isSame = false;
    setMember(members, name, next);
  }
  return isSame ? value : members;
}

function missingDefaults(value: JsonObject, node: SchemaNode): readonly string[] {
  const missing: string[] = [];
  for (const [name, property] of node.properties) if (property.default !== undefined && !Object.hasOwn(value, name)) missing.push(name);
  return missing;
}

function isForbiddenNull(value: Json, node: SchemaNode | undefined): boolean {
  return value === null && node !== undefined && !node.nullable;
}
