import type { ObjectSource } from '../admission/index.ts';
import type { Product } from '../meta/index.ts';
import { collectionPrefix, type ObjectStore } from '../registry/index.ts';
import { type Catalog, requireResource } from '../schema/index.ts';

export interface ObjectSourceOptions {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
}

/** Reads objects of a built-in resource for modules that do not depend on the registry. Names are the real server's. */
export function createObjectSource({ store, catalog, product }: ObjectSourceOptions, groupVersion: string, name: string): ObjectSource {
  const resource = requireResource(catalog, product.rename(groupVersion), name);
  return {
    find: async (namespace, objectName) => (await store.find({ resource, namespace, name: objectName }))?.object,
    async list(namespace) {
      const { entries } = await store.keySpace.range({ prefix: collectionPrefix(resource, namespace) });
      return entries.map((entry) => store.storedObjectOf(entry).object);
    },
  };
}
