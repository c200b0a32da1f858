import type { Log } from '../../env/index.ts';
import type { Product } from '../../meta/index.ts';
import { keyPrefix, type ObjectStore, watchObjects } from '../../registry/index.ts';
import type { apiregistrationv1 } from '../../schema/api/index.ts';
import { type Catalog, type Decoded, parseGroupVersion } from '../../schema/index.ts';

/** The API services of this process that are registered by APIService objects. */
export interface ApiServices {
  /** A catalog with the resources of the registered API services. */
  extend(catalog: Catalog): Catalog;
}

/** The Service by which the APIService of `metrics.k8s.io` refers to the metrics server, which is part of this process. */
const metricsServer = 'metrics-server';

/** Watches the APIService objects of the aggregated groups that this process can serve. Cf. kube-aggregator apiserver. */
export async function watchApiServices(store: ObjectStore, known: Catalog, product: Product, log: Log): Promise<ApiServices> {
  const resource = known.resource(product.rename('apiregistration.k8s.io/v1'), 'apiservices');
  const registered = new Set<string>();
  let current = new WeakMap<Catalog, Catalog>();
  if (resource) {
    const prefix = keyPrefix(resource);
    const byName = new Map([...known.aggregated.keys()].map((groupVersion) => [apiServiceName(groupVersion), groupVersion]));
    await watchObjects(
      store,
      resource,
      (key, object) => {
        const groupVersion = byName.get(key.slice(prefix.length));
        if (groupVersion === undefined) return;
        if (isLocalService(object, product)) registered.add(groupVersion);
        else registered.delete(groupVersion);
        current = new WeakMap();
      },
      log,
    );
  }
  return {
    extend(catalog) {
      const done = current.get(catalog);
      if (done) return done;
      // Definitions of the same group version are served instead.
      const further = [...known.aggregated].filter(
        ([groupVersion]) => registered.has(groupVersion) && catalog.resourcesOf(groupVersion).length === 0,
      );
      const whole = further.length === 0 ? catalog : catalog.withResources(new Map(further));
      current.set(catalog, whole);
      return whole;
    },
  };
}

/** `v1beta1.metrics.k8s.io` */
function apiServiceName(groupVersion: string): string {
  const { group, version } = parseGroupVersion(groupVersion);
  return `${version}.${group}`;
}

/** Whether an APIService refers to the metrics server. */
export function isLocalService(object: Decoded<apiregistrationv1.APIService> | undefined, { names }: Product): boolean {
  const { name, namespace } = object?.spec?.service ?? {};
  return name === metricsServer && namespace === names.systemNamespace;
}
