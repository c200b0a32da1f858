import { statefulSetValidators } from './apps/stateful-set.ts';
import { workloadValidators } from './apps/workloads.ts';
import { cronJobValidators } from './batch/cron-job.ts';
import { jobValidators } from './batch/job.ts';
import { configValidators } from './core/config.ts';
import { nodeValidators } from './core/node.ts';
import { podValidators } from './core/pods/pod.ts';
import { limitRangeValidators } from './core/quotas/limit-range.ts';
import { resourceQuotaValidators } from './core/quotas/resource-quota.ts';
import { endpointsValidators } from './core/services/endpoints.ts';
import { serviceValidators } from './core/services/service.ts';
import { definitionValidators } from './definitions/custom-resource-definition.ts';
import { deviceValidators } from './devices/claims.ts';
import type { KindValidator, KindValidators, ValidationContext } from './kind-validator.ts';
import { endpointSliceValidators } from './networking/endpoint-slice.ts';
import { ingressValidators } from './networking/ingress.ts';
import { networkPolicyValidators } from './networking/network-policy.ts';
import { serviceAddressValidators } from './networking/service-addresses.ts';
import { certificateValidators } from './others/certificate.ts';
import { classValidators } from './others/classes.ts';
import { coordinationValidators } from './others/coordination.ts';
import { eventValidators } from './others/event.ts';
import { flowControlValidators } from './others/flow-control.ts';
import { policyValidators } from './others/policies.ts';
import { rbacValidators } from './others/rbac.ts';
import { registrationValidators } from './others/registration.ts';
import { scalingValidators } from './others/scaling.ts';
import { storageVersionValidators } from './others/storage-versions.ts';
import { trustValidators } from './others/trust.ts';
import { webhookValidators } from './others/webhooks.ts';
import { storageValidators } from './storage/classes.ts';
import { volumeValidators } from './storage/volumes.ts';

/** The validators of all kinds with rules of their own. */
export function kindValidators(context: ValidationContext): ReadonlyMap<string, KindValidator> {
  const groups: readonly KindValidators[] = [
    configValidators(context),
    endpointsValidators(context),
    limitRangeValidators(context),
    nodeValidators(context),
    podValidators(context),
    resourceQuotaValidators(context),
    workloadValidators(context),
    statefulSetValidators(context),
    jobValidators(context),
    cronJobValidators(context),
    serviceValidators(context),
    ingressValidators(context),
    networkPolicyValidators(context),
    endpointSliceValidators(context),
    serviceAddressValidators(context),
    scalingValidators(context),
    volumeValidators(context),
    storageValidators(context),
    rbacValidators(context),
    classValidators(context),
    eventValidators(context),
    registrationValidators,
    certificateValidators(context),
    definitionValidators(context),
    deviceValidators(context),
    flowControlValidators,
    coordinationValidators,
    storageVersionValidators(context),
    trustValidators(context),
    policyValidators,
    webhookValidators,
  ];
  return new Map(groups.flatMap((group) => Object.entries(group)));
}
