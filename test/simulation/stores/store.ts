import type { TimedKeySpace } from '../../../src/storage/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Process } from '../server-process.ts';
import type { World } from '../world.ts';

/** Where the data of a run are, over all processes that use them. */
export interface Store {
  /** How many servers use it at the same time. */
  readonly servers: number;
  /**
   * Opens it for a process, which its faults may kill; whatever the process was doing ends with it.
   * Rejects when its faults do not let it be opened.
   */
  open(process: Process): Promise<TimedKeySpace>;
}

/** Makes the store of a run; what it has made durable is told to the history. */
export type StoreFactory = (world: World, history: CommitHistory) => Store;

/** Bounds from compactions that a process asks for: what it was told is compacted is, what it asked for may be. */
export function observeCompactions(space: TimedKeySpace, history: CommitHistory): TimedKeySpace {
  return {
    revision: () => space.revision(),
    seenRevision: () => space.seenRevision(),
    compactedRevision: () => space.compactedRevision(),
    get: (key, at) => space.get(key, at),
    range: (query) => space.range(query),
    commit: (write) => space.commit(write),
    findCommit: (requestId) => space.findCommit(requestId),
    watch: (query) => space.watch(query),
    revisionAt: (timeMs) => space.revisionAt(timeMs),
    close: () => space.close(),
    async compact(revision) {
      history.compactionRequested(revision);
      await space.compact(revision);
      history.compacted(revision);
    },
  };
}
