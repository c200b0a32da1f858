import type { Log } from '../env/index.ts';
import { type ApiObject, StatusError } from '../meta/index.ts';
import type { Resource } from '../schema/index.ts';
import type { Entry } from '../storage/index.ts';
import { keyPrefix } from './object-keys.ts';
import type { ObjectStore } from './object-store.ts';
import { type EntryUpdate, watchEntries } from './watch-entries.ts';

/** Handles the new state of an object; undefined: it was deleted. */
export type ObjectHandler = (key: string, object: ApiObject | undefined) => void;

/**
 * Lists and watches the stored objects of a resource: calls the handler with each of them, then with every change, before the write
 * returns to its caller. The returned function ends it.
 */
export async function watchObjects(store: ObjectStore, resource: Resource, handler: ObjectHandler, log: Log): Promise<() => void> {
  const deliver = (entries: readonly EntryUpdate[]): void => {
    for (const { key, entry } of entries) handler(key, entry && tryDecodeEntry(store, entry, log));
  };
  return watchEntries(store.keySpace, keyPrefix(resource), deliver, log);
}

/** Treats an object that cannot be decoded as absent, with a warning: it must not prevent the cluster from starting. */
export function tryDecodeEntry(store: ObjectStore, entry: Entry, log: Log): ApiObject | undefined {
  try {
    return store.storedObjectOf(entry).object;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    log.warn('a stored object cannot be read', { key: entry.key, error });
    return undefined;
  }
}
