/** The rules of workloads, each checked at every change. */
import type { Product } from '../../../../src/meta/index.ts';
import type { CachedResource } from '../component-process.ts';
import type { ObservedState } from '../observed-state.ts';
import { observeBindings } from './bindings.ts';
import { observeBudgets } from './budgets.ts';
import { observeJobs } from './jobs.ts';
import { observeQuotas } from './quotas.ts';
import { observeRollouts } from './rollouts.ts';
import { observeStatefulSets } from './stateful-sets.ts';

export interface RuleContext {
  readonly state: ObservedState;
  readonly product: Product;
  /** Whether pods fail for other reasons than controllers. */
  readonly disrupts: boolean;
  /** The oldest revision of a resource that a cache shows. */
  readonly cacheRevision: (resource: CachedResource) => number;
}

export function observeRules(context: RuleContext): void {
  for (const observe of observers) observe(context);
}

const observers: readonly ((context: RuleContext) => void)[] = [
  observeBindings,
  observeBudgets,
  observeJobs,
  observeQuotas,
  observeRollouts,
  observeStatefulSets,
];
