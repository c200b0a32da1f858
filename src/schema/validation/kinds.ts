import { statefulSetValidators } from './apps/stateful-set.ts';
import { workloadValidators } from './apps/workloads.ts';
import { cronJobValidators } from './batch/cron-job.ts';
import { jobValidators } from './batch/job.ts';
import { configValidators } from './core/config.ts';
import { endpointsValidators } from './core/endpoints.ts';
import { limitRangeValidators } from './core/limit-range.ts';
import { nodeValidators } from './core/node.ts';
import { podValidators } from './core/pod.ts';
import { resourceQuotaValidators } from './core/resource-quota.ts';
import type { KindValidator, KindValidators, ValidationContext } from './kind-validator.ts';

/** Every kind that has rules of its own. */
export function kindValidators(context: ValidationContext): ReadonlyMap<string, KindValidator> {
  const groups: readonly KindValidators[] = [
    configValidators(context),
    endpointsValidators,
    limitRangeValidators(context),
    nodeValidators(context),
    podValidators(context),
    resourceQuotaValidators(context),
    workloadValidators(context),
    statefulSetValidators(context),
    jobValidators(context),
    cronJobValidators(context),
  ];
  return new Map(groups.flatMap((group) => Object.entries(group)));
}
