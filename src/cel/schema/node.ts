import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';

/** The part of a CustomResourceDefinition's structural schema that expressions use. */
export interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly allOf?: readonly SchemaNode[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Reads a definition's schema; the prefix of its extensions can differ from `x-kubernetes-`. */
export function readSchema(written: JsonObject, prefix: string): SchemaNode {
  return renameExtensions(written, prefix) as SchemaNode;
}

const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);

function renameExtensions(written: JsonObject, prefix: string): JsonObject {
  const members = Object.entries(written).map(([name, value]) => {
    const own = name.startsWith(prefix) ? `x-kubernetes-${name.slice(prefix.length)}` : name;
    if (name === 'properties' && isJsonObject(value)) return [own, renameSchemas(value, prefix)] as const;
    if (schemaLists.has(name) && Array.isArray(value)) return [own, value.map((one: Json) => renameSchema(one, prefix))] as const;
    return [own, name === 'items' || name === 'additionalProperties' ? renameSchema(value ?? null, prefix) : value] as const;
  });
  return Object.fromEntries(members);
}

function renameSchema(value: Json, prefix: string): Json {
  return isJsonObject(value) ? renameExtensions(value, prefix) : value;
}

function renameSchemas(properties: JsonObject, prefix: string): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, renameSchema(value ?? null, prefix)]));
}

/** The value schema of a map; undefined for other types, and for values of any type. */
export function valueSchema(schema: SchemaNode): SchemaNode | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

export function isEmbedded(schema: SchemaNode): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

const text: SchemaNode = { type: 'string' };

/** Rules at the root of a resource can always access kind, apiVersion and metadata.name. */
export function withTypeAndMeta(schema: SchemaNode): SchemaNode {
  const { properties = {} } = schema;
  const meta = properties['metadata']?.properties ?? {};
  const known = [properties['kind'], properties['apiVersion'], meta['name'], meta['generateName']];
  if (known.every((one) => one?.type === 'string')) return schema;
  const metadata: SchemaNode = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...properties, kind: text, apiVersion: text, metadata } };
}
