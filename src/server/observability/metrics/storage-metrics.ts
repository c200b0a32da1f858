import type { MetricFamily, MetricSample } from '../../../meta/index.ts';
import { keyPrefix, type ObjectStore } from '../../../registry/index.ts';
import { type Catalog, formatGroupVersion, type Resource } from '../../../schema/index.ts';

const help = 'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.';

/** The number of stored objects of each resource. Cf. k8s.io/apiserver storage/etcd3/metrics. */
export async function storageMetrics(store: ObjectStore, catalog: Catalog): Promise<readonly MetricFamily[]> {
  const counts = await Promise.all(
    storedResources(catalog).map(async (resource) => ({ resource, value: await countObjects(store, resource) })),
  );
  const family = (name: string, stability: string, labels: (of: Resource) => MetricSample['labels']): MetricFamily => ({
    name,
    type: 'gauge',
    help: `${stability} ${help}`,
    samples: counts.map(({ resource, value }) => ({ labels: labels(resource), value })),
  });
  return [
    family('apiserver_resource_objects', '[ALPHA]', ({ group, name }) => ({ group, resource: name })),
    family('apiserver_storage_objects', '[STABLE] [DEPRECATED, consider using apiserver_resource_objects instead]', ({ group, name }) => ({
      resource: group === '' ? name : `${name}.${group}`,
    })),
  ];
}

/** One version of each resource with objects of its own. */
function storedResources(catalog: Catalog): readonly Resource[] {
  const byPrefix = new Map<string, Resource>();
  for (const { name, versions } of catalog.groups) {
    for (const version of versions) {
      for (const resource of catalog.resourcesOf(formatGroupVersion({ group: name, version }))) {
        const prefix = keyPrefix(resource);
        if (resource.verbs.has('list') && resource.verbs.has('create') && !byPrefix.has(prefix)) byPrefix.set(prefix, resource);
      }
    }
  }
  return [...byPrefix.values()];
}

async function countObjects({ keySpace }: ObjectStore, resource: Resource): Promise<number> {
  try {
    return (await keySpace.range({ prefix: keyPrefix(resource), limit: 1 })).count;
  } catch {
    return -1;
  }
}
