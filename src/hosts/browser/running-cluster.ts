import type { ApiHandler, RequestTrace } from '../../meta/index.ts';
import type { KeySpaceCopy } from '../../storage/index.ts';

/** A running cluster in this thread. */
export interface RunningCluster {
  readonly handle: ApiHandler;
  readonly persistence: 'saved' | 'memory';
  /** Reason shown to the user when the cluster is not stored; empty when it is. */
  readonly reason: string;
  /** Subscribes to the traces of requests. */
  onTrace(listener: (trace: RequestTrace) => void): () => void;
  /** A copy of the key space at one revision. */
  copy(): Promise<KeySpaceCopy>;
  /** Resolves when another worker has taken over the storage: data here may be stale. Never resolves for a cluster in memory. */
  readonly takenOver: Promise<void>;
  /** Resolves when the storage was deleted: the data is only in memory, and writes fail. */
  readonly deleted: Promise<void>;
  close(): Promise<void>;
}

/** Opens the cluster of a page's origin; called on the first request, and again after a close. */
export type OpenRunningCluster = () => Promise<RunningCluster>;
