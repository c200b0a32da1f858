import { configValidators } from './core/config.ts';
import { endpointsValidators } from './core/endpoints.ts';
import { limitRangeValidators } from './core/limit-range.ts';
import { nodeValidators } from './core/node.ts';
import { resourceQuotaValidators } from './core/resource-quota.ts';
import type { KindValidator, KindValidators, ValidationContext } from './kind-validator.ts';

/** Every kind that has rules of its own. */
export function kindValidators(context: ValidationContext): ReadonlyMap<string, KindValidator> {
  const groups: readonly KindValidators[] = [
    configValidators(context),
    endpointsValidators,
    limitRangeValidators(context),
    nodeValidators(context),
    resourceQuotaValidators(context),
  ];
  return new Map(groups.flatMap((group) => Object.entries(group)));
}
