import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { mapItems, mapMembers, membersOf } from './members.ts';
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
  const members: Record<string, Json> = {};
  for (const [name, member] of membersOf(value)) setMember(members, name, member);
  for (const [name, property] of node.properties) {
    if (property.default === undefined) continue;
    if (!Object.hasOwn(members, name) || isForbiddenNull(members[name] ?? null, property)) setMember(members, name, property.default);
  }
  for (const [name, member] of membersOf(members)) {
    const property = node.properties.get(name);
    const other = property === undefined && typeof node.additional === 'object' ? node.additional : undefined;
    const given = isForbiddenNull(member, other) ? (other?.default ?? null) : member;
    setMember(members, name, defaulted(given, property ?? other));
  }
  return members;
}

function isForbiddenNull(value: Json, node: SchemaNode | undefined): boolean {
  return value === null && node !== undefined && !node.nullable;
}
