import { type ApiClient, hasStatus } from '../../client/index.ts';
import type { Env } from '../../env/index.ts';
import { type ApiObject, type FeatureGates, formatTime, type Product } from '../../meta/index.ts';
import {
  countObjects,
  type DefinitionWriter,
  type ObjectStore,
  removeObjects,
  storedResource,
  type WriteContext,
} from '../../registry/index.ts';
import type { Catalog, Resource } from '../../schema/index.ts';
import type { Kinds } from '../../server/index.ts';

export interface DefinitionWriterOptions {
  /** The client of the API server itself. */
  readonly client: ApiClient;
  readonly store: ObjectStore;
  readonly kinds: Kinds;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly gates: FeatureGates;
  readonly env: Env;
}

/** Writes the status of definitions through the loopback client, and deletes their objects in the store, as the real server does. */
export function createDefinitionWriter({ client, store, kinds, catalog, product, gates, env }: DefinitionWriterOptions): DefinitionWriter {
  const apiVersion = product.rename('"apiextensions.k8s.io/v1"').slice(1, -1);
  const collection = `/apis/${apiVersion}/customresourcedefinitions`;
  const stored = (definition: ApiObject): Resource => {
    const resource = storedResource(definition, catalog, product);
    if (!resource) throw new Error(`definition ${definition.metadata.name} has no storage version`);
    return resource;
  };
  const context = (): WriteContext => ({
    env,
    product,
    random: env.random,
    now: formatTime(env.clock.nowMs()),
    requester: { username: 'system:apiserver', uid: '', groups: [], extra: {} },
    subresource: '',
    dryRun: false,
    gates,
    requestId: undefined,
    warn: () => undefined,
    pause: () => undefined,
  });
  return {
    async updateStatus(definition) {
      const { name = '' } = definition.metadata;
      // The stored version differs from the served one.
      const object = { ...definition, apiVersion };
      try {
        return (await client.send('PUT', `${collection}/${name}/status`, { body: object })) as ApiObject;
      } catch (error) {
        if (hasStatus(error, 404, 409)) return undefined;
        throw error;
      }
    },
    deleteObjects(definition) {
      const resource = stored(definition);
      return removeObjects(store, resource, kinds.of(resource).strategy, context());
    },
    countObjects: (definition) => countObjects(store, stored(definition)),
  };
}
