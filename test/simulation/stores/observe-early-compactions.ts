import { KeySpaceError, type LogStore, type SnapshotWriter } from '../../../src/storage/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';

/**
 * Bounds from compactions that nobody asks for: a key space compacts by itself while its store is full, and at no other time. The store
 * is full from its first refusal for lack of space until it takes a record that needs free space.
 */
export function observeEarlyCompactions(store: LogStore, history: CommitHistory): LogStore {
  let isFull = false;
  /** Appended, and done before the next record comes. */
  let appended = 1;
  const noteRefusal = async <Result>(call: Promise<Result>): Promise<Result> => {
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
      await noteRefusal(store.append(record, space));
      appended = compacted ?? appended;
      if (space === 'free') isFull = false;
    },
    async beginSnapshot(): Promise<SnapshotWriter> {
      const writer = await noteRefusal(store.beginSnapshot());
      return {
        add: (chunk) => noteRefusal(writer.add(chunk)),
        finish: () => noteRefusal(writer.finish()),
        abandon: () => writer.abandon(),
      };
    },
  };
}

/** Undefined: a record of writes. */
function compactedBy(record: string): number | undefined {
  return (JSON.parse(record) as { readonly compacted?: number }).compacted;
}
