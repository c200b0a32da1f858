import type { Log } from '../env/index.ts';
import { type Entry, type KeySpace, KeySpaceError } from '../storage/index.ts';

/** The new state of a key; no entry: it was deleted. */
export interface EntryUpdate {
  readonly key: string;
  readonly entry: Entry | undefined;
}

/**
 * Lists and watches the entries whose keys start with `prefix`: delivers all of them, then every change, before the write returns to its
 * caller. After a watch error (a shared store was unavailable for too long) everything is listed again. The returned function ends it.
 */
export async function watchEntries(
  keySpace: KeySpace,
  prefix: string,
  deliver: (entries: readonly EntryUpdate[]) => void,
  log: Log,
): Promise<() => void> {
  const known = new Set<string>();
  let endWatch = (): void => {};
  let isEnded = false;
  const deliverAndTrack = (entries: readonly EntryUpdate[]): void => {
    for (const { key, entry } of entries) {
      if (entry) known.add(key);
      else known.delete(key);
    }
    deliver(entries);
  };
  const listAndWatch = async (): Promise<void> => {
    const { entries, revision } = await keySpace.range({ prefix });
    const present = new Set(entries.map(({ key }) => key));
    const deleted = [...known].filter((key) => !present.has(key)).map((key) => ({ key, entry: undefined }));
    deliverAndTrack([...deleted, ...entries.map((entry) => ({ key: entry.key, entry }))]);
    const end = await keySpace.watch({ prefix, after: revision, deliver: deliverAndTrack, onError: failed });
    if (isEnded) end();
    else endWatch = end;
  };
  const failed = (error: KeySpaceError): void => {
    if (error.code === 'closed' || isEnded) return;
    log.warn('stored objects are read anew', { prefix, error });
    listAndWatch().catch((cause: unknown) => {
      if (cause instanceof KeySpaceError && cause.code === 'closed') return;
      log.error('stored objects are no longer followed', { prefix, error: cause });
    });
  };
  await listAndWatch();
  return () => {
    isEnded = true;
    endWatch();
  };
}
