import type { Product } from '../../../src/meta/index.ts';
import type { Environment } from '../environment.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import type { WriteLog } from '../model/write-log.ts';
import type { Network } from '../network.ts';

/** A version of an object that a client has observed. */
export interface KnownObject {
  readonly version: string;
  readonly uid: string;
}

/** The state that all clients of a run share. */
export interface RunContext {
  readonly environment: Environment;
  readonly product: Product;
  readonly network: Network;
  readonly history: CommitHistory;
  readonly writes: WriteLog;
  readonly kinds: readonly [SimulatedKind, ...SimulatedKind[]];
  /** Several servers use the store: one may still retain revisions that another has compacted. */
  readonly isShared: boolean;
  readonly retentionMs: number;
  /** The versions of each key that clients have observed, oldest first. */
  readonly observedObjects: Map<string, readonly KnownObject[]>;
}

export const objectNames = ['a', 'b', 'c', 'd'] as const;
export const sides = ['left', 'right'] as const;
