import type { ApiHandler, RequestTrace } from '../../meta/index.ts';
import type { KeySpaceCopy } from '../../storage/index.ts';

/** A cluster that runs in this thread, as the browser's hosts use it. */
export interface OpenedCluster {
  readonly handle: ApiHandler;
  readonly kept: 'saved' | 'memory';
  /** Why nothing is kept, in words for the user; empty when it is. */
  readonly reason: string;
  /** The long form of what each request went through. */
  onTrace(listener: (trace: RequestTrace) => void): () => void;
  /** All that is in it, at one revision. */
  copy(): Promise<KeySpaceCopy>;
  /** Resolves when another worker has taken the storage: what is known here may be of the past. Never, for one in memory. */
  readonly takenOver: Promise<void>;
  /** Resolves when the browser, or somebody in it, has deleted the storage: all is in memory still, and nothing more can be written. */
  readonly deleted: Promise<void>;
  close(): Promise<void>;
}

/** Opens the cluster of a page's origin. The host calls it when first asked, and again after it has closed. */
export type OpenCluster = () => Promise<OpenedCluster>;
