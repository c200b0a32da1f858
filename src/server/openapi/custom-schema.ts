import { isJsonObject, type JsonObject, type Product } from '../../meta/index.ts';
import type { Dialect } from './definitions.ts';

/** Schemas below this depth are published as untyped. */
const maxDepth = 200;

/** Published members of a structural schema, apart from extensions and nested schemas. */
const publishedMembers: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'default',
  'nullable',
  'format',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
]);
const combined = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * The OpenAPI schema of a definition (`openAPIV3Schema`); undefined when version 2 publishes none, since clients would reject fields that
 * it does not list (cf. apiextensions-apiserver controller/openapi/builder and openapi/v2).
 */
export function definitionSchema(schema: JsonObject, dialect: Dialect, product: Product): JsonObject | undefined {
  const prefix = product.names.openApiExtensionPrefix;
  if (dialect === 'v2' && schema[`${prefix}preserve-unknown-fields`] === true) return undefined;
  return publishedSchema(schema, dialect, prefix, 0);
}

function publishedSchema(schema: JsonObject, dialect: Dialect, prefix: string, depth: number): JsonObject {
  if (depth > maxDepth) return {};
  const loose = schema['nullable'] === true || schema[`${prefix}preserve-unknown-fields`] === true;
  if (dialect === 'v2' && loose && depth > 0) return withoutShape(schema, prefix);
  const inner = (value: unknown): JsonObject => (isJsonObject(value) ? publishedSchema(value, dialect, prefix, depth + 1) : {});
  const members = Object.entries(schema).flatMap(([name, value]): (readonly [string, JsonObject[string]])[] => {
    if (publishedMembers.has(name) || name.startsWith(prefix)) return [[name, value]];
    if (name === 'properties' && isJsonObject(value)) {
      return [[name, Object.fromEntries(Object.entries(value).map(([property, each]) => [property, inner(each)]))]];
    }
    if (name === 'items') return [[name, inner(value)]];
    if (name === 'additionalProperties') return [[name, typeof value === 'boolean' ? value : inner(value)]];
    return dialect === 'v3' ? combination(name, value, inner) : [];
  });
  const all = Object.fromEntries(members);
  return schema[`${prefix}int-or-string`] === true && dialect === 'v3' ? withIntOrString(all) : all;
}

function combination(name: string, value: unknown, inner: (value: unknown) => JsonObject): (readonly [string, JsonObject[string]])[] {
  if (name === 'not') return [[name, inner(value)]];
  const isCombined = combined.some((each) => each === name) && Array.isArray(value);
  return isCombined ? [[name, value.map(inner)]] : [];
}

/** A nullable schema, or one of any value, has no type in version 2. */
function withoutShape(schema: JsonObject, prefix: string): JsonObject {
  const members = Object.entries(schema).filter(([name]) => name === 'description' || name === 'title' || name.startsWith(prefix));
  return Object.fromEntries(members);
}

/** An int-or-string schema gets an `anyOf` of both types, unless it has one. */
function withIntOrString(schema: JsonObject): JsonObject {
  return schema['anyOf'] === undefined && schema['allOf'] === undefined
    ? { ...schema, anyOf: [{ type: 'integer' }, { type: 'string' }] }
    : schema;
}
