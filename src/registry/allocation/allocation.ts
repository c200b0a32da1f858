import type { ApiObject } from '../../meta/index.ts';
import type { StrategyContext } from '../strategy.ts';

/** An object that has been given what only the server gives, for the time of one write. */
export interface Allocation {
  readonly object: ApiObject;
  /** The write is over. What is stored keeps its addresses by being stored; what is not gives them back. */
  end(): Promise<void>;
}

/**
 * Gives an object what must be unique in the cluster, before it is prepared and validated (upstream BeginCreate, BeginUpdate).
 * @throws StatusError when something asked for is not to be had
 */
export type Allocate = (next: ApiObject, old: ApiObject | undefined, context: StrategyContext) => Promise<Allocation>;
