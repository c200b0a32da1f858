import type { Log } from '../env/index.ts';
import { type ApiObject, StatusError } from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';
import type { Entry, KeySpaceError } from '../storage/index.ts';
import { keyPrefix } from './object-keys.ts';
import type { ObjectStore } from './object-store.ts';

/** Hears what becomes of an object; undefined: it is gone. */
export type Follower = (key: string, object: ApiObject | undefined) => void;

/**
 * Keeps something at what is stored: all objects of a resource at the start, then every change, heard before whoever made it goes on.
 * The returned function ends that.
 */
export async function followObjects(store: ObjectStore, resource: Resource, follow: Follower, log: Log): Promise<() => void> {
  const prefix = keyPrefix(resource);
  const { entries, revision } = await store.keySpace.range({ prefix });
  for (const entry of entries) follow(entry.key, readable(store, entry, log));
  return store.keySpace.watch({
    prefix,
    after: revision,
    deliver: (changes) => {
      for (const { key, entry } of changes) follow(key, entry && readable(store, entry, log));
    },
    failed(error: KeySpaceError) {
      if (error.code !== 'closed') log.warn('stored objects are no longer followed', { resource: resource.name, error });
    },
  });
}

/** What cannot be read counts as nothing; it is told, and must not keep the cluster from starting. */
function readable(store: ObjectStore, entry: Entry, log: Log): ApiObject | undefined {
  try {
    return store.stored(entry).object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    log.warn('a stored object cannot be read', { key: entry.key, error });
    return undefined;
  }
}
