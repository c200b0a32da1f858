import type { TimedKeySpace } from '../../../src/storage/index.ts';
import type { Environment } from '../environment.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Process } from '../server-process.ts';

/** The storage of a run, shared by all its processes. */
export interface Store {
  /** The number of servers that use it at the same time. */
  readonly servers: number;
  /**
   * Opens it for a process. Its faults may kill the process, which ends all pending work of the process.
   * Rejects when a fault prevents the opening.
   */
  open(process: Process): Promise<TimedKeySpace>;
}

/** Creates the store of a run, which records its durable commits in the history. */
export type StoreFactory = (environment: Environment, history: CommitHistory) => Store;

/** Records compactions that a process requests: a requested revision may be compacted, an acknowledged one is. */
export function observeCompactions(space: TimedKeySpace, history: CommitHistory): TimedKeySpace {
  return {
    revision: () => space.revision(),
    observedRevision: () => space.observedRevision(),
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
