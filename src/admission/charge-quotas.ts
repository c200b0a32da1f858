import {
  type ApiObject,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  signOfQuantity,
  subtractQuantities,
} from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import {
  countedNames,
  type Decoded,
  matchesQuotaScopes,
  type QuotaContext,
  type QuotaResource,
  quotaUsageOf,
  sumUsage,
  type Usage,
} from '../schema/index.ts';
import type { AdmissionRequest } from './admission.ts';
import { createForbiddenError } from './forbidden-error.ts';
import { missingAmounts } from './quota-constraints.ts';

/** A write to charge. */
export interface QuotaCharge {
  readonly request: AdmissionRequest;
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
  readonly context: QuotaContext;
  /** Checks that what is limited by default is covered by the quotas; undefined: nothing is. @throws StatusError */
  readonly checkLimits: QuotaLimitCheck | undefined;
}

/** A quota that counts an object, with the names of its limits for which objects of the resource count. */
interface MatchingQuota {
  readonly quota: ApiObject;
  readonly names: readonly string[];
}

interface QuotaCoverage {
  readonly all: readonly ApiObject[];
  /** Those of `all` that count the object. */
  readonly matching: readonly MatchingQuota[];
  /** The usage of the object, without zeros. */
  readonly usage: Usage;
}

export type QuotaLimitCheck = (coverage: QuotaCoverage, charge: QuotaCharge) => void;

/**
 * The quotas whose usage changes, with the usage of an object added. Cf. CheckRequest of apiserver/plugin/resourcequota.
 * @throws StatusError 403 for an object that exceeds a quota, or lacks amounts that a quota limits; other errors of `checkLimits`
 */
export function chargeQuotas(all: readonly ApiObject[], charge: QuotaCharge): readonly ApiObject[] {
  const { request, object, old, context } = charge;
  const resource = { group: request.group, resource: request.resource };
  const matching = matchingQuotas(all, resource, object);
  for (const one of matching) checkQuota(one, charge);
  const usage = quotaUsageOf(resource, object, context);
  const negative = Object.keys(usage).filter((name) => signOfQuantity(amountOf(usage, name)) < 0);
  if (negative.length > 0) {
    throw createForbiddenError(request, object, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  }
  if (matching.length === 0 && !charge.checkLimits) return [];
  const whole = withoutZeros(usage);
  const added = old ? subtractUsage(usage, quotaUsageOf(resource, old, context)) : whole;
  // A quota that did not match before is charged for the whole object.
  const didMatch = (quota: ApiObject): boolean => old !== undefined && matchesQuotaScopes(quotaSpecOf(quota), resource, old);
  const charges = matching.map(({ quota }) => ({ quota, usage: didMatch(quota) ? added : whole }));
  const changed = charges.filter((one) => !isEmpty(one.usage));
  if (matching.length > 0 ? changed.length === 0 : isEmpty(added)) return [];
  charge.checkLimits?.({ all, matching, usage: whole }, charge);
  return changed.flatMap((one) => addUsage(one.quota, one.usage, charge));
}

/** The quota with the usage added, when it limits any of it. @throws StatusError 403 */
function addUsage(quota: ApiObject, usage: Usage, { request, object }: QuotaCharge): readonly ApiObject[] {
  const status = quotaStatusOf(quota);
  const requested = Object.fromEntries(Object.entries(usage).filter(([name]) => status.hard[name] !== undefined));
  const names = Object.keys(requested).sort();
  if (names.length === 0) return [];
  const used = sumUsage(status.used, requested);
  const exceeded = names.filter((name) => compareQuantities(amountOf(used, name), amountOf(status.hard, name)) > 0);
  // The status of an object reports what is in use already.
  if (exceeded.length > 0 && request.subresource !== 'status') {
    const show = (amounts: Usage): string => exceeded.map((name) => `${name}=${amounts[name] ?? '0'}`).join(',');
    const why = `requested: ${show(requested)}, used: ${show(status.used)}, limited: ${show(status.hard)}`;
    throw createForbiddenError(request, object, `exceeded quota: ${quota.metadata.name}, ${why}`);
  }
  return [{ ...quota, status: { ...status, used } }];
}

/** Objects must specify the amounts that are limited, and the controller must have calculated the usage. @throws StatusError 403 */
function checkQuota({ quota, names }: MatchingQuota, { request, object }: QuotaCharge): void {
  const missing = request.group === '' && request.resource === 'pods' ? missingAmounts(object, names) : undefined;
  const { name } = quota.metadata;
  if (missing !== undefined) throw createForbiddenError(request, object, `failed quota: ${name}: ${missing}`);
  const { used } = quotaStatusOf(quota);
  if (names.some((one) => used[one] === undefined)) {
    throw createForbiddenError(request, object, `status unknown for quota: ${name}, resources: ${[...names].sort().join(',')}`);
  }
}

function matchingQuotas(all: readonly ApiObject[], resource: QuotaResource, object: ApiObject): readonly MatchingQuota[] {
  return all.flatMap((quota) => {
    const names = countedNames(quotaStatusOf(quota).hard, resource);
    return names.length > 0 && matchesQuotaScopes(quotaSpecOf(quota), resource, object) ? [{ quota, names }] : [];
  });
}

export function quotaSpecOf({ spec }: Decoded<corev1.ResourceQuota>): Decoded<corev1.ResourceQuotaSpec> {
  return spec ?? {};
}

/** Limits count once the controller has observed them. */
function quotaStatusOf({ status }: Decoded<corev1.ResourceQuota>): { readonly hard: Usage; readonly used: Usage } {
  return { hard: (status?.hard ?? {}) as Usage, used: (status?.used ?? {}) as Usage };
}

/** What is used more than before. */
function subtractUsage(usage: Usage, before: Usage): Usage {
  const left = Object.entries(usage).map(([name, amount]): [string, string] => {
    const isNew = before[name] === undefined;
    return [name, isNew ? amount : formatQuantity(subtractQuantities(parseQuantity(amount), amountOf(before, name)))];
  });
  return Object.fromEntries(left.filter(([, amount]) => signOfQuantity(parseQuantity(amount)) > 0));
}

function withoutZeros(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, amount]) => signOfQuantity(parseQuantity(amount)) !== 0));
}

function isEmpty(usage: Usage): boolean {
  return Object.keys(usage).length === 0;
}

function amountOf(usage: Usage, name: string): Quantity {
  return parseQuantity(usage[name] ?? '0');
}
