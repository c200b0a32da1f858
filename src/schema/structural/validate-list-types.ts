import {
  duplicate,
  type FieldError,
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  sortMembers,
  stringifyJson,
} from '../../meta/index.ts';
import { membersOf } from './members.ts';
import type { SchemaNode } from './schema-node.ts';

/** Items of sets and associative lists must be unique. Cf. upstream schema/listtype. */
export function validateListTypes(value: Json, node: SchemaNode, path: string): readonly FieldError[] {
  if (!node.contains.uniqueItems) return [];
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const { items: below } = node;
    return [
      ...validateOwnItems(items, node, path),
      ...(below?.contains.uniqueItems ? items.flatMap((item, at) => validateListTypes(item, below, `${path}[${at}]`)) : []),
    ];
  }
  if (!isJsonObject(value)) return [];
  return membersOf(value).flatMap(([name, member]) => {
    const property = node.properties.get(name);
    if (property) return validateListTypes(member, property, path === '' ? name : `${path}.${name}`);
    return typeof node.additional === 'object' ? validateListTypes(member, node.additional, `${path}[${name}]`) : [];
  });
}

function validateOwnItems(items: readonly Json[], { listType, listMapKeys }: SchemaNode, path: string): readonly FieldError[] {
  if (listType === 'set') return findDuplicates(items, identity).map((at) => duplicate(`${path}[${at}]`, items[at]));
  if (listType !== 'map') return [];
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) return [invalid(`${path}[${wrong}]`, items[wrong], 'must be an object for an array of list-type map')];
  const names = [...listMapKeys].sort();
  return findDuplicates(items, (item) => itemKey(item, names)).map((at) => duplicate(`${path}[${at}]`, keysOf(items[at], names)));
}

function keysOf(item: Json | undefined, names: readonly string[]): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name] ?? null]] : [])));
}

/** A value that is unique for the key values of an item. */
function itemKey(item: Json, names: readonly string[]): Json {
  if (!isJsonObject(item)) return names.map(() => '').join();
  const [name] = names;
  if (names.length === 1 && name !== undefined) return Object.hasOwn(item, name) ? identity(item[name] ?? null) : '';
  return names.map((one) => (Object.hasOwn(item, one) ? textOf(item[one] ?? null) : '')).join();
}

/** A Map key that is equal for equal values: scalars other than strings as they are, other values as JSON. */
function identity(value: Json): Json {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? value : textOf(value);
}

function textOf(value: Json): string {
  return stringifyJson(typeof value === 'object' && value !== null ? sortMembers(value) : value);
}

/** Indexes of repeated values; each value is reported once. */
function findDuplicates(items: readonly Json[], keyOfItem: (item: Json) => Json): readonly number[] {
  const times = new Map<Json, number>();
  const again: number[] = [];
  for (const [at, item] of items.entries()) {
    const key = keyOfItem(item);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before === 1) again.push(at);
  }
  return again;
}
