/** What is special to each kind: a table for the usual, a file for the rest. */
import type { Resource } from '../../schema/index.ts';
import type { Strategy } from '../strategy.ts';
import { type StrategyTools, strategyOfRow } from './strategy-of-row.ts';
import { rowOf } from './table.ts';

export type { StrategyTools } from './strategy-of-row.ts';

/** The strategy of a built-in resource's objects. Callers cache it, as each call creates it anew. */
export function strategyFor(resource: Resource, tools: StrategyTools): Strategy {
  return strategyOfRow(resource, rowOf(resource.schema), tools);
}
