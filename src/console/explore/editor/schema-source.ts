import { isJsonObject, type Json, type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { createClient } from '../api.ts';

/** The OpenAPI schema of a field, with references resolved. */
export interface FieldSchema {
  readonly about: string;
  /** Empty for any type. */
  readonly types: readonly string[];
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
  readonly enum: readonly Json[];
  /** The schema of additional properties, if they are allowed. */
  readonly more: Json | undefined;
  readonly items: Json | undefined;
  /** The keys of an associative list; undefined for an atomic one. */
  readonly listKeys: readonly string[] | undefined;
}

/** The schema of a kind, and access to the schemas of its fields. */
export interface KindSchema {
  readonly root: FieldSchema;
  /** Resolves the references of a raw schema. */
  read(raw: Json | undefined): FieldSchema;
}

/** Cache time of the list of documents. Short, so that a new definition is found. */
const indexMs = 500;

/** The server's OpenAPI v3 documents by group version, fetched on first use and after changes. */
export class SchemaSource {
  readonly #model: ConsoleModel;
  readonly #documents = new Map<string, { readonly url: string; readonly document: Promise<JsonObject> }>();
  #index: Promise<JsonObject> | undefined;
  #indexAtMs = 0;

  constructor(model: ConsoleModel) {
    this.#model = model;
  }

  async findSchema(apiVersion: string, kind: string): Promise<KindSchema | undefined> {
    const document = await this.#document(apiVersion);
    if (document === undefined) return undefined;
    const prefix = this.#model.product.names.openApiExtensionPrefix;
    const schemas = recordAt(recordAt(document, 'components'), 'schemas');
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const found = Object.values(schemas).find((schema) => {
      const kinds = isJsonObject(schema) ? schema[`${prefix}group-version-kind`] : undefined;
      return (
        Array.isArray(kinds) &&
        kinds.some((one) => isJsonObject(one) && one['kind'] === kind && one['group'] === group && one['version'] === version)
      );
    });
    if (found === undefined) return undefined;
    const read = (raw: Json | undefined): FieldSchema => readSchema(raw, schemas, prefix);
    return { root: read(found), read };
  }

  async #document(apiVersion: string): Promise<JsonObject | undefined> {
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
    const { paths } = await this.#currentIndex();
    const entry = isJsonObject(paths) ? paths[path] : undefined;
    const url = isJsonObject(entry) ? String(entry['serverRelativeURL']) : '';
    if (url === '') return undefined;
    const known = this.#documents.get(path);
    if (known?.url === url) return known.document;
    const document = createClient(this.#model).read('GET', url, { verbatim: true });
    this.#documents.set(path, { url, document });
    document.catch(() => this.#documents.delete(path));
    return document;
  }

  #currentIndex(): Promise<JsonObject> {
    const now = this.#model.env.clock.monotonicMs();
    if (this.#index === undefined || now - this.#indexAtMs > indexMs) {
      this.#indexAtMs = now;
      this.#index = createClient(this.#model).read('GET', '/openapi/v3');
      this.#index.catch(() => {
        this.#index = undefined;
      });
    }
    return this.#index;
  }
}

function readSchema(raw: Json | undefined, schemas: JsonObject, prefix: string): FieldSchema {
  const schema = resolveReferences(raw, schemas);
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  const own = text(schema['type']);
  const either = [...objectsAt(schema, 'oneOf'), ...objectsAt(schema, 'anyOf')];
  const anyOf = either.map((one) => text(one['type'])).filter((type) => type !== '');
  const flexible = schema[`${prefix}int-or-string`] === true || schema['format'] === 'int-or-string';
  const listType = schema[`${prefix}list-type`];
  const keys = schema[`${prefix}list-map-keys`];
  const free = schema[`${prefix}preserve-unknown-fields`] === true || schema[`${prefix}embedded-resource`] === true;
  const properties = isJsonObject(schema['properties']) ? (schema['properties'] as Readonly<Record<string, Json>>) : {};
  const named = Object.keys(properties).length > 0;
  return {
    about: text(schema['description']),
    types: flexible ? ['integer', 'string'] : own !== '' ? [own] : anyOf,
    properties,
    required: Array.isArray(schema['required']) ? schema['required'].map(String) : [],
    enum: Array.isArray(schema['enum']) ? schema['enum'] : [],
    more: schema['additionalProperties'] ?? (free || (own === 'object' && !named) ? true : undefined),
    items: schema['items'],
    listKeys: listType === 'map' && Array.isArray(keys) ? keys.map(String) : undefined,
  };
}

/** Resolves references, alone or in `allOf` with a default and a description next to it. */
function resolveReferences(raw: Json | undefined, schemas: JsonObject, depth = 0): JsonObject {
  if (!isJsonObject(raw) || depth > 8) return {};
  const reference = raw['$ref'];
  const parts = Array.isArray(raw['allOf']) ? raw['allOf'] : [];
  const below = typeof reference === 'string' ? [schemas[reference.slice(reference.lastIndexOf('/') + 1)]] : parts;
  return Object.assign({}, ...below.map((part) => resolveReferences(part, schemas, depth + 1)), raw);
}
