import {
  type ApiObject,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  StatusError,
  signOfQuantity,
  subtractQuantities,
} from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import {
  type Decoded,
  matchesQuotaScopes,
  matchesScope,
  type QuotaContext,
  type QuotaResource,
  quotaResourcesOf,
  quotaUsageOf,
  type ScopeRequirement,
  scopeRequirements,
  sumUsage,
  type Usage,
} from '../schema/index.ts';
import type { AdmissionRequest } from './admission.ts';
import { createForbiddenError } from './forbidden-error.ts';
import { missingAmounts } from './quota-constraints.ts';

/** A resource that may be used only where a quota covers it. Cf. apiserver.config.k8s.io ResourceQuotaConfiguration. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of limited amounts, for example `requests.storage`. */
  readonly matchContains: readonly string[];
  /** Scopes that a quota must cover. */
  readonly matchScopes: readonly ScopeRequirement[];
}

/** A write to charge. */
export interface QuotaCharge {
  readonly request: AdmissionRequest;
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
  readonly limitedResources: readonly LimitedResource[];
  readonly context: QuotaContext;
}

/**
 * The quotas whose usage changes, with the usage of an object added. Cf. CheckRequest of apiserver/plugin/resourcequota.
 * @throws StatusError 403 for an object that exceeds a quota, lacks amounts that a quota limits, or is not covered by a quota; 500 for
 * one that is in a limited scope without a quota
 */
export function chargeQuotas(all: readonly ApiObject[], charge: QuotaCharge): readonly ApiObject[] {
  const { request, object, old, context } = charge;
  const resource = { group: request.group, resource: request.resource };
  const matching = all.filter((quota) => matchesQuota(quota, resource, object));
  for (const quota of matching) checkQuota(quota, resource, charge);
  const usage = quotaUsageOf(resource, object, context);
  const negative = Object.keys(usage).filter((name) => signOfQuantity(amountOf(usage, name)) < 0);
  if (negative.length > 0) {
    throw createForbiddenError(request, object, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  }
  const added = withoutZeros(old ? subtractUsage(usage, quotaUsageOf(resource, old, context)) : usage);
  // A quota that did not match before is charged for the whole object.
  const charges = matching.map((quota) => ({ quota, usage: old && matchesQuota(quota, resource, old) ? added : withoutZeros(usage) }));
  const changed = charges.filter((one) => !isEmpty(one.usage));
  if (matching.length > 0 ? changed.length === 0 : isEmpty(added)) return [];
  checkLimits(all, matching, charge);
  return changed.flatMap((one) => addUsage(one.quota, one.usage, charge));
}

/** The quota with the usage added, when it limits any of it. @throws StatusError 403 */
function addUsage(quota: ApiObject, usage: Usage, { request, object }: QuotaCharge): readonly ApiObject[] {
  const status = statusOf(quota);
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
function checkQuota(quota: ApiObject, resource: QuotaResource, { request, object }: QuotaCharge): void {
  const names = namesOf(quota, resource);
  const missing = resource.group === '' && resource.resource === 'pods' ? missingAmounts(object, names) : undefined;
  const { name } = quota.metadata;
  if (missing !== undefined) throw createForbiddenError(request, object, `failed quota: ${name}: ${missing}`);
  const { used } = statusOf(quota);
  if (names.some((one) => used[one] === undefined)) {
    throw createForbiddenError(request, object, `status unknown for quota: ${name}, resources: ${[...names].sort().join(',')}`);
  }
}

/** What is limited by default has to be covered by a quota. @throws StatusError */
function checkLimits(all: readonly ApiObject[], matching: readonly ApiObject[], charge: QuotaCharge): void {
  const { request, object, limitedResources, context } = charge;
  if (limitedResources.length === 0) return;
  const resource = { group: request.group, resource: request.resource };
  const parts = limitedResources
    .filter((one) => one.apiGroup === request.group && one.resource === request.resource)
    .flatMap(({ matchContains }) => matchContains);
  const limited = Object.keys(withoutZeros(quotaUsageOf(resource, object, context))).filter((name) =>
    parts.some((part) => name.includes(part)),
  );
  const covered = new Set(matching.flatMap((quota) => namesOf(quota, resource)));
  const uncovered = limited.filter((name) => !covered.has(name));
  if (uncovered.length > 0) throw createForbiddenError(request, object, `insufficient quota to consume: ${uncovered.sort().join(',')}`);
  const isIn = (requirement: ScopeRequirement): boolean => matchesScope(resource, object, requirement);
  const coveredScopes = new Set(all.flatMap((quota) => scopeRequirements(specOf(quota)).filter(isIn)).map(({ scopeName }) => scopeName));
  const scopes = limitedResources
    .flatMap(({ matchScopes }) => matchScopes.filter(isIn))
    .filter(({ scopeName }) => !coveredScopes.has(scopeName));
  if (scopes.length === 0) return;
  const texts = scopes.map(({ scopeName, operator, values }) => `{${scopeName} ${operator} [${values.join(' ')}]}`);
  throw new StatusError(500, '', `insufficient quota to match these scopes: [${texts.join(' ')}]`);
}

function matchesQuota(quota: ApiObject, resource: QuotaResource, object: ApiObject): boolean {
  return namesOf(quota, resource).length > 0 && matchesQuotaScopes(specOf(quota), resource, object);
}

/** The names in a quota for which objects of a resource count. Limits count once the controller has observed them. */
function namesOf(quota: ApiObject, { group, resource }: QuotaResource): readonly string[] {
  return Object.keys(statusOf(quota).hard).filter((name) => {
    const counted = quotaResourcesOf(name);
    return counted?.group === group && counted.resource === resource;
  });
}

function specOf({ spec }: Decoded<corev1.ResourceQuota>): Decoded<corev1.ResourceQuotaSpec> {
  return spec ?? {};
}

function statusOf({ status }: Decoded<corev1.ResourceQuota>): { readonly hard: Usage; readonly used: Usage } {
  return { hard: (status?.hard ?? {}) as Usage, used: (status?.used ?? {}) as Usage };
}

function subtractUsage(usage: Usage, before: Usage): Usage {
  const left = Object.entries(usage).map(([name, amount]): [string, string] => {
    const isSame = before[name] === undefined;
    return [name, isSame ? amount : formatQuantity(subtractQuantities(parseQuantity(amount), amountOf(before, name)))];
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
