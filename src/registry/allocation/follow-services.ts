import type { Log } from '../../env/index.ts';
import { type ApiObject, StatusError } from '../../meta/index.ts';
import type { Catalog } from '../../schema/index.ts';
import type { Entry, KeySpaceError } from '../../storage/index.ts';
import { keyPrefix } from '../object-keys.ts';
import type { ObjectStore } from '../object-store.ts';
import type { ServiceAllocator } from './service-allocator.ts';

/**
 * Keeps an allocator at what is stored: all Services at the start, then every change, heard before whoever made it goes on.
 * The returned function ends that.
 */
export async function followServices(store: ObjectStore, catalog: Catalog, allocator: ServiceAllocator, log: Log): Promise<() => void> {
  const services = catalog.resource('v1', 'services');
  if (!services) throw new Error('the catalog has no services');
  const prefix = keyPrefix(services);
  const { entries, revision } = await store.keySpace.range({ prefix });
  for (const entry of entries) allocator.follow(entry.key, readable(store, entry, log));
  return store.keySpace.watch({
    prefix,
    after: revision,
    deliver: (changes) => {
      for (const { key, entry } of changes) allocator.follow(key, entry && readable(store, entry, log));
    },
    failed(error: KeySpaceError) {
      if (error.code !== 'closed') log.warn('services are no longer followed', { error });
    },
  });
}

/** What cannot be read holds nothing; it is told, and must not keep the cluster from starting. */
function readable(store: ObjectStore, entry: Entry, log: Log): ApiObject | undefined {
  try {
    return store.stored(entry).object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    log.warn('a stored service cannot be read', { key: entry.key, error });
    return undefined;
  }
}
