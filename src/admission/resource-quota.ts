import type { ApiObject, Product } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import { type Decoded, isDeviceClaim, isTerminating } from '../schema/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { chargeQuotas, type QuotaLimitCheck } from './charge-quotas.ts';
import { createForbiddenError, isPodWrite } from './forbidden-error.ts';

/** Access to the quotas of namespaces. */
export interface QuotaAccess {
  list(namespace: string): Promise<readonly ApiObject[]>;
  /** Writes the status; false when the quota was changed meanwhile. */
  updateStatus(quota: ApiObject): Promise<boolean>;
}

/** Attempts to charge quotas that others change at the same time. */
const maxAttempts = 10;

export interface QuotaOptions {
  readonly product: Product;
  readonly nowMs: () => number;
  /** Checks what may be used only where a quota covers it; undefined: nothing is limited. */
  readonly checkLimits?: QuotaLimitCheck | undefined;
}

/** Charges new objects to the quotas of their namespace, and rejects those that exceed one. Cf. apiserver/plugin/resourcequota. */
export function resourceQuota(quotas: QuotaAccess, { product, nowMs, checkLimits }: QuotaOptions): AdmissionPlugin {
  /** Requests of a namespace wait for each other, so that they do not conflict. */
  const pending = new Map<string, Promise<void>>();
  const charge = async (request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const all = await quotas.list(request.namespace);
      if (all.length === 0 && !checkLimits) return;
      const charged = chargeQuotas(all, { request, object, old, checkLimits, context: { product, nowMs: nowMs() } });
      if (request.dryRun || (await updateAll(charged, quotas))) return;
      if (attempt === maxAttempts) throw createForbiddenError(request, object, 'unable to update quota usage, please try again');
    }
  };
  return {
    name: 'ResourceQuota',
    handles: isCharged,
    async validate(request, object, old) {
      const { namespace } = request;
      if (namespace === '' || (request.operation === 'UPDATE' && isPodWrite(request) && !changesScope(object, old))) return;
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

/** Writes that may change what an object uses. Cf. the evaluators' Handles. */
function isCharged({ operation, group, resource, subresource }: AdmissionAttributes): boolean {
  if (operation === 'CREATE') return subresource === '' && !(group === '' && resource === 'namespaces');
  const path = subresource === '' ? resource : `${resource}/${subresource}`;
  return operation === 'UPDATE' && (group === '' ? chargedUpdates.has(path) : isDeviceClaim({ group, resource: path }));
}

const chargedUpdates: ReadonlySet<string> = new Set([
  'pods',
  'pods/resize',
  'services',
  'persistentvolumeclaims',
  'persistentvolumeclaims/status',
]);

/** An update of a pod changes only its scopes. */
function changesScope(object: Decoded<corev1.Pod>, old: Decoded<corev1.Pod> | undefined): boolean {
  return isTerminating(object.spec ?? {}) !== isTerminating(old?.spec ?? {});
}

async function updateAll(charged: readonly ApiObject[], quotas: QuotaAccess): Promise<boolean> {
  for (const quota of charged) if (!(await quotas.updateStatus(quota))) return false;
  return true;
}
