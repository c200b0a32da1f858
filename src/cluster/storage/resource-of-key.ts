import type { GroupResource, Product } from '../../meta/index.ts';
import { keyPrefix } from '../../registry/index.ts';
import { createCatalog, formatGroupVersion } from '../../schema/index.ts';

/** Keys below `/registry/` that are no API objects: the leases of API servers, and allocations. */
const internalKeys = /^\/registry\/(?:masterleases|ranges|tabplane[^/]*)\//;

/** Returns the function that finds the resource of a key; undefined for keys that are no API objects. */
export function createResourceOfKey(product: Product): (key: string) => GroupResource | undefined {
  const catalog = createCatalog(product);
  const byPrefix = new Map<string, GroupResource>();
  for (const { name: group, versions } of catalog.groups) {
    for (const version of versions) {
      for (const resource of catalog.resourcesOf(formatGroupVersion({ group, version }))) {
        const prefix = keyPrefix(resource);
        // Events of both groups are the same objects, those of the core group.
        if (!byPrefix.has(prefix)) byPrefix.set(prefix, { group, name: resource.name });
      }
    }
  }
  return (key) => {
    if (internalKeys.test(key)) return undefined;
    const [, root = '', first = '', second = '', ...rest] = key.split('/');
    if (root !== 'registry') return undefined;
    const known = byPrefix.get(`/registry/${first}/${second}/`) ?? byPrefix.get(`/registry/${first}/`);
    if (known) return known;
    // Groups of custom resources have a domain.
    return first.includes('.') && rest.length > 0 ? { group: first, name: second } : undefined;
  };
}
