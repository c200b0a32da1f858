import {
  type AdmissionPlugin,
  defaultIngressClass,
  defaultStorageClass,
  defaultTolerationSeconds,
  limitRanger,
  namespaceLifecycle,
  type ObjectSource,
  priority,
  runtimeClass,
  serviceAccount,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from '../admission/index.ts';
import type { Random } from '../env/index.ts';
import type { Product } from '../meta/index.ts';
import { collectionPrefix, type ObjectStore } from '../registry/index.ts';
import type { Catalog } from '../schema/index.ts';

export interface AdmissionParts {
  readonly store: ObjectStore;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly random: Random;
}

/** The plugins that are on by default, in the real server's order (upstream kubeapiserver/options AllOrderedPlugins). */
export function admissionPlugins({ store, catalog, product, random }: AdmissionParts): readonly AdmissionPlugin[] {
  const source = (groupVersion: string, resource: string): ObjectSource =>
    objectSource(store, catalog, product.rename(groupVersion), resource);
  const namespaces = source('v1', 'namespaces');
  return [
    namespaceLifecycle((name) => namespaces.find('', name), product),
    limitRanger(source('v1', 'limitranges'), product),
    serviceAccount(source('v1', 'serviceaccounts'), random, product),
    taintNodesByCondition(product),
    priority(source('scheduling.k8s.io/v1', 'priorityclasses')),
    defaultTolerationSeconds(product),
    defaultStorageClass(source('storage.k8s.io/v1', 'storageclasses'), product),
    storageObjectInUseProtection(product),
    runtimeClass(source('node.k8s.io/v1', 'runtimeclasses')),
    defaultIngressClass(source('networking.k8s.io/v1', 'ingressclasses'), product),
  ];
}

function objectSource(store: ObjectStore, catalog: Catalog, groupVersion: string, name: string): ObjectSource {
  const resource = catalog.resource(groupVersion, name);
  if (!resource) throw new Error(`the catalog has no ${name} in ${groupVersion}`);
  return {
    find: async (namespace, objectName) => (await store.find({ resource, namespace, name: objectName }))?.object,
    async list(namespace) {
      const { entries } = await store.keySpace.range({ prefix: collectionPrefix(resource, namespace) });
      return entries.map((entry) => store.stored(entry).object);
    },
  };
}
