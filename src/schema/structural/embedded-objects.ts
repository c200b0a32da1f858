import { type FieldError, invalid, isDns1035Label, isJsonObject, type Json, type JsonObject, required } from '../../meta/index.ts';
import { mapItems, mapMembers, membersOf } from './members.ts';
import type { OnPrunedPath } from './prune.ts';
import type { SchemaNode } from './schema-node.ts';

/** Decodes metadata by its type, and reports unknown fields. @throws Error when it is not valid metadata */
export type DecodeMetadata = (metadata: Json, unknown: OnPrunedPath) => JsonObject;

/**
 * Decodes the metadata of embedded objects. Cf. upstream schema/objectmeta Coerce.
 * @throws Error from `decode`
 */
export function decodeEmbeddedMetadata(
  object: JsonObject,
  node: SchemaNode | undefined,
  decode: DecodeMetadata,
  unknown: OnPrunedPath,
): JsonObject {
  const paths: string[] = [];
  const coerced = node ? (decodeMetadata(object, node, '', decode, (path) => paths.push(path)) as JsonObject) : object;
  for (const path of paths.sort()) unknown(path);
  return coerced;
}

function decodeMetadata(value: Json, node: SchemaNode, path: string, decode: DecodeMetadata, unknown: OnPrunedPath): Json {
  if (!node.contains.embedded) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? mapItems(value, (item, at) => decodeMetadata(item, items, `${path}[${at}]`, decode, unknown)) : value;
  }
  if (!isJsonObject(value)) return value;
  return mapMembers(value, (name, member) => {
    const property = node.properties.get(name);
    const at = property ? joinPath(path, name) : `${path}[${name}]`;
    const typed = node.embedded && name === 'metadata' ? decode(member, (field) => unknown(`${joinPath(path, name)}.${field}`)) : member;
    const own = property ?? node.additional;
    return typeof own === 'object' ? decodeMetadata(typed, own, at, decode, unknown) : typed;
  });
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export type MetadataRules = (metadata: JsonObject, path: string) => readonly FieldError[];

/** Embedded objects require a kind and a version, and valid metadata. Cf. upstream schema/objectmeta Validate. */
export function validateEmbeddedObjects(value: Json, node: SchemaNode, path: string, metadata: MetadataRules): readonly FieldError[] {
  if (!node.contains.embedded) return [];
  if (Array.isArray(value)) {
    const { items } = node;
    return items ? value.flatMap((item: Json, at) => validateEmbeddedObjects(item, items, `${path}[${at}]`, metadata)) : [];
  }
  if (!isJsonObject(value)) return [];
  const own = node.embedded ? validateEmbeddedObject(value, path, metadata) : [];
  const members = membersOf(value).flatMap(([name, member]) => {
    const property = node.properties.get(name);
    if (property) return validateEmbeddedObjects(member, property, joinPath(path, name), metadata);
    return typeof node.additional === 'object' ? validateEmbeddedObjects(member, node.additional, `${path}[${name}]`, metadata) : [];
  });
  return [...own, ...members];
}

function validateEmbeddedObject(object: JsonObject, path: string, metadata: MetadataRules): readonly FieldError[] {
  const { apiVersion, kind } = object;
  const meta = object['metadata'];
  return [
    ...(apiVersion === undefined
      ? [required(joinPath(path, 'apiVersion'), '')]
      : validateApiVersion(apiVersion, joinPath(path, 'apiVersion'))),
    ...(kind === undefined ? [required(joinPath(path, 'kind'), '')] : validateKind(kind, joinPath(path, 'kind'))),
    ...(isJsonObject(meta) ? metadata(meta, joinPath(path, 'metadata')) : []),
  ];
}

function validateApiVersion(value: Json, path: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function validateKind(value: Json, path: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  const wrong = isDns1035Label(value.toLowerCase());
  return wrong.length > 0 ? [invalid(path, value, `may have mixed case, but should otherwise match: ${wrong.join(',')}`)] : [];
}
