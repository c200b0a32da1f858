import { isSameAmount, type JsonObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import {
  countedNames,
  matchesQuotaScopes,
  type QuotaContext,
  type QuotaResource,
  quotaResourcesOf,
  quotaUsageOf,
  sumUsage,
  type Usage,
} from '../../schema/index.ts';

/** The resources that a quota counts. */
export function countedResources({ spec }: Pick<corev1.ResourceQuota, 'spec'>): readonly QuotaResource[] {
  const counted = new Map<string, QuotaResource>();
  for (const name of Object.keys(spec.hard ?? {})) {
    const resource = quotaResourcesOf(name);
    if (resource) counted.set(`${resource.group}/${resource.resource}`, resource);
  }
  return [...counted.values()];
}

/** What the objects of one resource use of a quota, only for the names in it. Cf. pkg/quota/v1 CalculateUsage. */
export function usageOfObjects(
  { spec }: Pick<corev1.ResourceQuota, 'spec'>,
  resource: QuotaResource,
  objects: readonly JsonObject[],
  context: QuotaContext,
): Usage {
  const names = countedNames(spec.hard ?? {}, resource);
  const matching = objects.filter((object) => matchesQuotaScopes(spec, resource, object));
  let sum: Usage = Object.fromEntries(names.map((name) => [name, '0']));
  for (const object of matching) {
    const usage = quotaUsageOf(resource, object, context);
    sum = sumUsage(sum, Object.fromEntries(names.flatMap((name) => (usage[name] === undefined ? [] : [[name, usage[name]]]))));
  }
  return sum;
}

/** The new status of a quota; undefined when nothing changes. Cf. pkg/controller/resourcequota syncResourceQuota. */
export function quotaStatus({ spec, status }: corev1.ResourceQuota, usage: Usage): corev1.ResourceQuotaStatus | undefined {
  const hard = spec.hard ?? {};
  const all: Usage = { ...status.used, ...usage };
  const used = Object.fromEntries(Object.keys(hard).flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
  const isSame = status.hard !== undefined && isEqual(status.hard, hard) && status.used !== undefined && isEqual(status.used, used);
  return isSame ? undefined : { hard, used };
}

export function isEqual(a: Usage, b: Usage): boolean {
  const names = Object.keys(a);
  const isSame = (before: string | undefined, after: string | undefined): boolean =>
    before !== undefined && after !== undefined ? isSameAmount(before, after) : before === after;
  return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}
