import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { mapItems, mapMembers } from './members.ts';
import type { SchemaNode } from './schema-node.ts';

/** An object without the nulls that its schema does not allow, but for those that stand for a default. Cf. upstream PruneNonNullableNulls. */
export function withoutNulls(object: JsonObject, node: SchemaNode | undefined): JsonObject {
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

/** An object with what its schema gives where nothing stands, or a null that must not. Cf. upstream schema/defaulting. */
export function withDefaults(object: JsonObject, node: SchemaNode | undefined): JsonObject {
  return node ? (defaulted(object, node) as JsonObject) : object;
}

function defaulted(value: Json, node: SchemaNode | undefined): Json {
  if (!node?.contains.defaults || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    return mapItems(value, (item) => defaulted(isForbiddenNull(item, items) ? (items?.default ?? null) : item, items));
  }
  if (!isJsonObject(value)) return value;
  const missing = missingDefaults(value, node);
  // In order of name, so that nothing is left to sort where the object was in order.
  const names = missing.length > 0 ? [...Object.keys(value), ...missing].sort() : Object.keys(value);
  const members: Record<string, Json> = {};
  let isSame = missing.length === 0;
  for (const name of names) {
    const member = Object.hasOwn(value, name) ? value[name] : (node.properties.get(name)?.default ?? null);
    if (member === undefined) continue;
    const own = memberNode(node, name);
    const next = defaulted(isForbiddenNull(member, own) ? (own?.default ?? null) : member, own);
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
