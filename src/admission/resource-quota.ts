import { type ApiObject, compareQuantities, formatQuantity, parseQuantity, type Quantity, subtractQuantities } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import {
  type Decoded,
  isCountedPod,
  matchesQuotaScopes,
  type QuotaResource,
  quotaResourcesOf,
  quotaUsageOf,
  sumUsage,
  type Usage,
} from '../schema/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { createForbiddenError } from './forbidden-error.ts';
import { missingAmounts } from './quota-constraints.ts';

/** Access to the quotas of namespaces. */
export interface QuotaAccess {
  list(namespace: string): Promise<readonly ApiObject[]>;
  /** Writes the status; false when the quota was changed meanwhile. */
  updateStatus(quota: ApiObject): Promise<boolean>;
}

/** Attempts to charge quotas that others change at the same time. */
const maxAttempts = 10;

/** Charges new objects to the quotas of their namespace, and rejects those that exceed one. Cf. apiserver/plugin/resourcequota. */
export function resourceQuota(quotas: QuotaAccess, nowMs: () => number): AdmissionPlugin {
  /** Requests of a namespace wait for each other, so that they do not conflict. */
  const pending = new Map<string, Promise<void>>();
  const charge = async (request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const all = await quotas.list(request.namespace);
      const charged = chargeQuotas(all, { request, object, old }, nowMs());
      if (request.dryRun || (await updateAll(charged, quotas))) return;
      if (attempt === maxAttempts) throw createForbiddenError(request, object, 'unable to update quota usage, please try again');
    }
  };
  return {
    name: 'ResourceQuota',
    handles: isCharged,
    async validate(request, object, old) {
      const { namespace } = request;
      if (namespace === '') return;
      const before = pending.get(namespace);
      const own = (before ?? Promise.resolve()).then(() => charge(request, object, old));
      const settled = own.catch(() => undefined);
      pending.set(namespace, settled);
      try {
        await own;
      } finally {
        if (pending.get(namespace) === settled) pending.delete(namespace);
      }
    },
  };
}

/** Only services and claims may use more after an update. */
function isCharged({ operation, group, resource, subresource }: AdmissionAttributes): boolean {
  if (subresource !== '' || (group === '' && resource === 'namespaces')) return false;
  if (operation === 'CREATE') return true;
  return operation === 'UPDATE' && group === '' && (resource === 'services' || resource === 'persistentvolumeclaims');
}

async function updateAll(charged: readonly ApiObject[], quotas: QuotaAccess): Promise<boolean> {
  for (const quota of charged) if (!(await quotas.updateStatus(quota))) return false;
  return true;
}

interface Charge {
  readonly request: AdmissionRequest;
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
}

/** The quotas with the usage of an object added. Cf. CheckRequest. @throws StatusError 403 */
function chargeQuotas(all: readonly ApiObject[], { request, object, old }: Charge, nowMs: number): readonly ApiObject[] {
  const resource = { group: request.group, resource: request.resource };
  const interesting = all.filter((quota) => isInteresting(quota, resource, object));
  if (interesting.length === 0) return [];
  for (const quota of interesting) checkQuota(quota, { resource, request, object, nowMs });
  const usage = quotaUsageOf(resource, object, nowMs);
  const before = old ? quotaUsageOf(resource, old, nowMs) : {};
  const added = positiveDifference(usage, before);
  return interesting.flatMap((quota) => {
    const status = statusOf(quota);
    const requested = Object.fromEntries(Object.entries(added).filter(([name]) => status.hard[name] !== undefined));
    const names = Object.keys(requested).sort();
    if (names.length === 0) return [];
    const used = sumUsage(status.used, requested);
    const exceeded = names.filter((name) => compareQuantities(amountOf(used, name), amountOf(status.hard, name)) > 0);
    if (exceeded.length > 0) {
      const show = (amounts: Usage): string => exceeded.map((name) => `${name}=${amounts[name] ?? '0'}`).join(',');
      const why = `requested: ${show(requested)}, used: ${show(status.used)}, limited: ${show(status.hard)}`;
      throw createForbiddenError(request, object, `exceeded quota: ${quota.metadata.name}, ${why}`);
    }
    return [{ ...quota, status: { ...status, used } }];
  });
}

function isInteresting(quota: ApiObject, resource: QuotaResource, object: ApiObject): boolean {
  const isCounted = namesOf(quota, resource).length > 0;
  return isCounted && matchesQuotaScopes(specOf(quota), resource, object);
}

interface CheckOptions {
  readonly resource: QuotaResource;
  readonly request: AdmissionRequest;
  readonly object: ApiObject;
  readonly nowMs: number;
}

/** Objects must specify the amounts that are limited, and the controller must have calculated the usage. */
function checkQuota(quota: ApiObject, { resource, request, object, nowMs }: CheckOptions): void {
  const names = namesOf(quota, resource);
  const isPod = resource.group === '' && resource.resource === 'pods' && isCountedPod(object, nowMs);
  const missing = isPod ? missingAmounts(object, names) : undefined;
  const { name } = quota.metadata;
  if (missing !== undefined) throw createForbiddenError(request, object, `failed quota: ${name}: ${missing}`);
  const { used } = statusOf(quota);
  if (names.some((one) => used[one] === undefined)) {
    throw createForbiddenError(request, object, `status unknown for quota: ${name}, resources: ${[...names].sort().join(',')}`);
  }
}

/** The names in a quota for which objects of a resource count. */
function namesOf(quota: ApiObject, { group, resource }: QuotaResource): readonly string[] {
  return Object.keys(statusOf(quota).hard).filter((name) => {
    const counted = quotaResourcesOf(name);
    return counted?.group === group && counted.resource === resource;
  });
}

/** Limits count once the controller has observed them. */
function specOf({ spec }: Decoded<corev1.ResourceQuota>): Decoded<corev1.ResourceQuotaSpec> {
  return spec ?? {};
}

function statusOf({ status }: Decoded<corev1.ResourceQuota>): { readonly hard: Usage; readonly used: Usage } {
  return { hard: (status?.hard ?? {}) as Usage, used: (status?.used ?? {}) as Usage };
}

function positiveDifference(usage: Usage, before: Usage): Usage {
  const difference = Object.entries(usage).map(([name, amount]): [string, string] => {
    const left = subtractQuantities(parseQuantity(amount), amountOf(before, name));
    return [name, before[name] === undefined ? amount : formatQuantity(left)];
  });
  return Object.fromEntries(difference.filter(([, amount]) => compareQuantities(parseQuantity(amount), parseQuantity('0')) > 0));
}

function amountOf(usage: Usage, name: string): Quantity {
  return parseQuantity(usage[name] ?? '0');
}
