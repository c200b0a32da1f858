import { isJsonObject, type JsonObject, recordAt } from '../../meta/index.ts';
import type { ApiClient } from './client.ts';
import type { GroupVersionKind } from './cluster.ts';
import type { ApiResource } from './discovery.ts';

/** The OpenAPI schemas of a resource's group and version; undefined when the server has none. */
export async function fetchSchemas(client: ApiClient, resource: ApiResource): Promise<OpenApiSchemas | undefined> {
  const document = await fetchDocument(client, resource);
  return document && new OpenApiSchemas(document);
}

/** The OpenAPI document of a resource's group and version; undefined when the server has none. */
export async function fetchDocument(
  client: ApiClient,
  { group, version }: Omit<GroupVersionKind, 'kind'>,
): Promise<JsonObject | undefined> {
  const index = await client.read('GET', '/openapi/v3');
  const paths = recordAt(index, 'paths');
  const entry = paths[group === '' ? `api/${version}` : `apis/${group}/${version}`];
  const url = isJsonObject(entry) ? String(entry['serverRelativeURL'] ?? '') : '';
  return url === '' ? undefined : client.read('GET', url);
}

/** The schemas of an OpenAPI document, with references resolved. */
export class OpenApiSchemas {
  readonly #all: JsonObject;

  constructor(document: JsonObject) {
    const components = recordAt(document, 'components');
    this.#all = recordAt(components, 'schemas');
  }

  schemaOfKind({ group, version, kind }: ApiResource): JsonObject | undefined {
    return Object.values(this.#all)
      .filter(isJsonObject)
      .find((schema) => {
        const kinds = Object.entries(schema).find(([name]) => name.endsWith('-group-version-kind'))?.[1];
        return (
          Array.isArray(kinds) &&
          kinds.filter(isJsonObject).some((one) => one['group'] === group && one['version'] === version && one['kind'] === kind)
        );
      });
  }

  #reference(schema: JsonObject): string | undefined {
    const direct = schema['$ref'];
    if (typeof direct === 'string') return direct.split('/').at(-1);
    const all = schema['allOf'];
    const first = Array.isArray(all) ? all[0] : undefined;
    return isJsonObject(first) ? this.#reference(first) : undefined;
  }

  #resolve(schema: JsonObject): JsonObject {
    const name = this.#reference(schema);
    const found = name === undefined ? undefined : this.#all[name];
    return isJsonObject(found) ? found : schema;
  }

  #inner(schema: JsonObject): JsonObject {
    const resolved = this.#resolve(schema);
    if (isJsonObject(resolved['items'])) return this.#inner(resolved['items']);
    if (isJsonObject(resolved['additionalProperties'])) return this.#inner(resolved['additionalProperties']);
    return resolved;
  }

  fieldsOf(schema: JsonObject): ReadonlyMap<string, JsonObject> {
    const properties = this.#inner(schema)['properties'];
    const entries = isJsonObject(properties)
      ? Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
      : [];
    return new Map(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  typeOf(schema: JsonObject): string {
    const name = this.#reference(schema);
    const resolved = this.#resolve(schema);
    if (isJsonObject(resolved['items'])) return `[]${this.typeOf(resolved['items'])}`;
    if (isJsonObject(resolved['additionalProperties'])) return `map[string]${this.typeOf(resolved['additionalProperties'])}`;
    if (name !== undefined) return name.split('.').at(-1) ?? name;
    const type = resolved['type'];
    return type === 'object' || type === undefined ? 'Object' : String(type);
  }
}
