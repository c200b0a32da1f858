import type { FeatureGates, ProductNames } from '../../meta/index.ts';
import type { DefaultingRule } from './defaulting-rule.ts';
import { appsRules } from './rules-apps.ts';
import { batchRules } from './rules-batch.ts';
import { limitRangeRules, namespaceRules, nodeRules, replicationControllerRules, serviceRules } from './rules-core.ts';
import { extensionRules, networkingRules, rbacRules, resourceRules, scalingRules } from './rules-others.ts';
import { containerRules, podRules } from './rules-pod.ts';

export type { DefaultingRule, RuleContext } from './defaulting-rule.ts';

/** Defaults that depend on other fields, by type. */
export function defaultingRules(names: ProductNames, gates: FeatureGates): ReadonlyMap<string, DefaultingRule> {
  return new Map(
    Object.entries({
      ...containerRules,
      ...podRules,
      ...serviceRules,
      ...replicationControllerRules,
      ...namespaceRules(names),
      ...nodeRules,
      ...limitRangeRules,
      ...appsRules(gates),
      ...batchRules,
      ...scalingRules,
      ...networkingRules,
      ...rbacRules(names),
      ...resourceRules,
      ...extensionRules,
    }),
  );
}
