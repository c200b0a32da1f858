import type { Log } from '../env/index.ts';
import { type ApiObject, StatusError } from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';
import type { Entry } from '../storage/index.ts';
import { keyPrefix } from './object-keys.ts';
import type { ObjectStore } from './object-store.ts';
import { type EntryUpdate, watchEntries } from './watch-entries.ts';

/** Handler of an object's changes; undefined: it was deleted. */
export type ObjectHandler = (key: string, object: ApiObject | undefined) => void;

/**
 * Keeps something at what is stored: all objects of a resource at the start, then every change, heard before whoever made it goes on.
 * The returned function ends that.
 */
export async function watchObjects(store: ObjectStore, resource: Resource, handler: ObjectHandler, log: Log): Promise<() => void> {
  const deliver = (entries: readonly EntryUpdate[]): void => {
    for (const { key, entry } of entries) handler(key, entry && tryDecodeEntry(store, entry, log));
  };
  return watchEntries(store.keySpace, keyPrefix(resource), deliver, log);
}

/** What cannot be read counts as nothing; it is told, and must not keep the cluster from starting. */
export function tryDecodeEntry(store: ObjectStore, entry: Entry, log: Log): ApiObject | undefined {
  try {
    return store.storedObjectOf(entry).object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    log.warn('a stored object cannot be read', { key: entry.key, error });
    return undefined;
  }
}
