import {
  duplicate,
  type FieldError,
  invalid,
  isJsonObject,
  type Json,
  type JsonObject,
  sortedMembers,
  stringifyJson,
} from '../../meta/index.ts';
import { membersOf } from './members.ts';
import type { SchemaNode } from './schema-node.ts';

/** Items of sets and keyed lists must be told apart. Cf. upstream schema/listtype. */
export function listTypeErrors(value: Json, node: SchemaNode, path: string): readonly FieldError[] {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const { items: below } = node;
    return [...ownErrors(items, node, path), ...(below ? items.flatMap((item, at) => listTypeErrors(item, below, `${path}[${at}]`)) : [])];
  }
  if (!isJsonObject(value)) return [];
  return membersOf(value).flatMap(([name, member]) => {
    const property = node.properties.get(name);
    if (property) return listTypeErrors(member, property, path === '' ? name : `${path}.${name}`);
    return typeof node.additional === 'object' ? listTypeErrors(member, node.additional, `${path}[${name}]`) : [];
  });
}

function ownErrors(items: readonly Json[], { listType, listMapKeys }: SchemaNode, path: string): readonly FieldError[] {
  if (listType === 'set') return repeated(items).map((at) => duplicate(`${path}[${at}]`, items[at]));
  if (listType !== 'map') return [];
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) return [invalid(`${path}[${wrong}]`, items[wrong], 'must be an object for an array of list-type map')];
  const keys = items.map((item) => keysOf(item, listMapKeys));
  return repeated(keys).map((at) => duplicate(`${path}[${at}]`, keys[at]));
}

function keysOf(item: Json, names: readonly string[]): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries([...names].sort().flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name] ?? null]] : [])));
}

/** Where a value stands for the second time; each is told once. */
function repeated(items: readonly Json[]): readonly number[] {
  const times = new Map<string, number>();
  return items.flatMap((item, at) => {
    const text = `${typeof item}${stringifyJson(sortedMembers(item))}`;
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [at] : [];
  });
}
