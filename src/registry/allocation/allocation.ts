import type { ApiObject } from '../../meta/index.ts';
import type { StrategyContext } from '../strategy.ts';

/** An object with values that are reserved for it until its write ends. */
export interface Allocation {
  readonly object: ApiObject;
  /** Call after the write. A stored object holds its addresses by being stored; those of a failed write become free. */
  end(): Promise<void>;
}

/**
 * Allocates values that are unique in the cluster, before the object is prepared and validated (upstream BeginCreate, BeginUpdate).
 * @throws StatusError when a requested value is not available
 */
export type Allocate = (next: ApiObject, old: ApiObject | undefined, context: StrategyContext) => Promise<Allocation>;
