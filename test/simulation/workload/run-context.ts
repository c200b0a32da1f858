import type { Product } from '../../../src/meta/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import type { WriteLog } from '../model/write-log.ts';
import type { Network } from '../network.ts';
import type { World } from '../world.ts';

/** An object as a client has seen it. */
export interface KnownObject {
  readonly version: string;
  readonly uid: string;
}

/** What all clients of a run share. */
export interface RunContext {
  readonly world: World;
  readonly product: Product;
  readonly network: Network;
  readonly history: CommitHistory;
  readonly writes: WriteLog;
  readonly kinds: readonly [SimulatedKind, ...SimulatedKind[]];
  /** Several servers use the store: one may still have what another has compacted. */
  readonly isShared: boolean;
  readonly retentionMs: number;
  /** What clients have seen of each key, oldest first. */
  readonly seen: Map<string, readonly KnownObject[]>;
}

export const objectNames = ['a', 'b', 'c', 'd'] as const;
export const sides = ['left', 'right'] as const;
