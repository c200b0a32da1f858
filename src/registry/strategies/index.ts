/** Strategies of the built-in kinds: a table of rows, and a file for each kind with functions of its own. */
import type { Resource } from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';
import { createStrategy, type StrategyOptions } from './create-strategy.ts';
import { rowOf } from './kind-rows.ts';

export type { StrategyOptions } from './create-strategy.ts';

/** The strategy of a built-in resource's objects. Callers cache it, as each call creates it anew. */
export function strategyFor(resource: Resource, tools: StrategyOptions): Strategy {
  return createStrategy(resource, rowOf(resource.schema), tools);
}
