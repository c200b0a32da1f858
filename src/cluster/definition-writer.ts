import type { Env } from '../env/index.ts';
import { type ApiHandler, type ApiObject, type FeatureGates, formatTime, type Product } from '../meta/index.ts';
import {
  countObjects,
  type DefinitionWriter,
  type ObjectStore,
  removeObjects,
  storedResource,
  type WriteContext,
} from '../registry/index.ts';
import type { Catalog, Resource } from '../schema/index.ts';
import type { Kinds } from '../server/index.ts';
import { createLoopbackRequest } from './loopback-request.ts';

export interface DefinitionWriterOptions {
  readonly handle: ApiHandler;
  readonly token: string;
  readonly store: ObjectStore;
  readonly kinds: Kinds;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly gates: FeatureGates;
  readonly env: Env;
}

/** Writes the status of definitions through the loopback client, and deletes their objects in the store, as the real server does. */
export function createDefinitionWriter({
  handle,
  token,
  store,
  kinds,
  catalog,
  product,
  gates,
  env,
}: DefinitionWriterOptions): DefinitionWriter {
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
      const response = await handle(
        createLoopbackRequest({ method: 'PUT', target: `${collection}/${name}/status`, object }, token, product),
      );
      if (response.status === 404 || response.status === 409) return undefined;
      if (response.status !== 200) throw new Error(`cannot update the status of ${name}: ${response.status} ${String(response.body)}`);
      return JSON.parse(String(response.body)) as ApiObject;
    },
    deleteObjects(definition) {
      const resource = stored(definition);
      return removeObjects(store, resource, kinds.of(resource).strategy, context());
    },
    countObjects: (definition) => countObjects(store, stored(definition)),
  };
}
