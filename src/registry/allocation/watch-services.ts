import type { Log } from '../../env/index.ts';
import { type Catalog, requireResource } from '../../schema/index.ts';
import type { ObjectStore } from '../object-store.ts';
import { watchObjects } from '../watch-objects.ts';
import type { ServiceAllocator } from './service-allocator.ts';

/** Updates an allocator with the stored Services; the returned function ends it. */
export function watchServices(store: ObjectStore, catalog: Catalog, allocator: ServiceAllocator, log: Log): Promise<() => void> {
  const services = requireResource(catalog, 'v1', 'services');
  return watchObjects(store, services, (key, service) => allocator.updateService(key, service), log);
}
