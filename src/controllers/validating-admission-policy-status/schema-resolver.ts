import { readSchema, type SchemaNode } from '../../cel/index.ts';
import { type ApiClient, hasStatus } from '../../client/index.ts';
import { isJsonObject, type JsonObject, objectsAt, type Product, recordAt, textAt } from '../../meta/index.ts';
import type { ControllerContext } from '../controller.ts';
import { apiVersionOf, type DiscoveredResource, discoverResources } from '../discovered-resources.ts';
import { populateRefs } from './populate-refs.ts';
import type { KindName } from './types-to-check.ts';

/** A kind with its schema. */
export interface KindSchema {
  readonly kind: KindName;
  readonly schema: SchemaNode;
}

/** Finds the schemas of kinds in the OpenAPI documents of the server, each of which is read once. Cf. resolver.ClientDiscoveryResolver. */
export class SchemaResolver {
  readonly #client: ApiClient;
  readonly #product: Product;
  readonly #documents = new Map<string, Promise<JsonObject>>();

  constructor({ client, product }: Pick<ControllerContext, 'client' | 'product'>) {
    this.#client = client;
    this.#product = product;
  }

  resources(): Promise<readonly DiscoveredResource[]> {
    return discoverResources({ client: this.#client, product: this.#product });
  }

  /** The kinds that have a schema. */
  async schemasOf(kinds: readonly KindName[]): Promise<readonly KindSchema[]> {
    const found = await Promise.all(kinds.map(async (kind) => ({ kind, schema: await this.#schemaOf(kind) })));
    return found.flatMap(({ kind, schema }) => (schema ? [{ kind, schema }] : []));
  }

  async schemaOfParams({
    apiVersion = '',
    kind = '',
  }: {
    readonly apiVersion?: string;
    readonly kind?: string;
  }): Promise<KindSchema | undefined> {
    const slash = apiVersion.indexOf('/');
    const name = { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1), kind };
    const schema = await this.#schemaOf(name);
    return schema && { kind: name, schema };
  }

  async #schemaOf({ group, version, kind }: KindName): Promise<SchemaNode | undefined> {
    const path = `${group === '' ? 'api' : 'apis'}/${apiVersionOf({ group, version })}`;
    const document = this.#documents.get(path) ?? this.#read(path);
    this.#documents.set(path, document);
    const schemas = recordAt(recordAt(await document, 'components'), 'schemas');
    const isKind = (name: JsonObject): boolean =>
      textAt(name, 'group') === group && textAt(name, 'version') === version && textAt(name, 'kind') === kind;
    const prefix = this.#product.names.openApiExtensionPrefix;
    const own = Object.values(schemas)
      .filter(isJsonObject)
      .find((schema) => objectsAt(schema, `${prefix}group-version-kind`).some(isKind));
    return own && readSchema(populateRefs(own, schemas), prefix);
  }

  /** Empty for a group version that is not served. */
  async #read(path: string): Promise<JsonObject> {
    try {
      return await this.#client.send('GET', `/openapi/v3/${path}`);
    } catch (error) {
      if (hasStatus(error, 404)) return {};
      throw error;
    }
  }
}
