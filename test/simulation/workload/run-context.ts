import type { Product } from '../../../src/meta/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import type { WriteLog } from '../model/write-log.ts';
import type { Network } from '../network.ts';
import type { World } from '../world.ts';

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
}

export const objectNames = ['a', 'b', 'c', 'd'] as const;
export const sides = ['left', 'right'] as const;
