import { KeySpaceError, type LogStore, type SnapshotWriter } from '../../../src/storage/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';

/**
 * Records compactions that no caller requests: a key space compacts by itself only while its store is full. The store is full from its
 * first out-of-space error until it accepts a record that needs free space.
 */
export function observeEarlyCompactions(store: LogStore, history: CommitHistory): LogStore {
  let isFull = false;
  /** The last appended compaction, complete before the next record is appended. */
  let appended = 1;
  const noteFullStore = async <Result>(call: Promise<Result>): Promise<Result> => {
    try {
      return await call;
    } catch (error) {
      if (error instanceof KeySpaceError && error.code === 'out-of-space') isFull = true;
      throw error;
    }
  };
  return {
    load: () => store.load(),
    onLost: (listener) => store.onLost(listener),
    close: () => store.close(),
    async append(record, space) {
      history.compacted(appended);
      const compacted = isFull ? compactedBy(record) : undefined;
      if (compacted !== undefined) history.compactionRequested(compacted);
      await noteFullStore(store.append(record, space));
      appended = compacted ?? appended;
      if (space === 'free') isFull = false;
    },
    async beginSnapshot(): Promise<SnapshotWriter> {
      const writer = await noteFullStore(store.beginSnapshot());
      return {
        add: (chunk) => noteFullStore(writer.add(chunk)),
        finish: () => noteFullStore(writer.finish()),
        abandon: () => writer.abandon(),
      };
    },
  };
}

/** Undefined: a record of writes. */
function compactedBy(record: string): number | undefined {
  return (JSON.parse(record) as { readonly compacted?: number }).compacted;
}
