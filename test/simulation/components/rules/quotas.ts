import type { corev1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import type { ObservedState } from '../observed-state.ts';
import { isFinished } from '../pod-facts.ts';

/** Pods, and milli-CPU of requests. */
interface Amounts {
  readonly pods: number;
  readonly cpu: number;
}

/** Requests that were admitted before a quota had limits have created their objects after this time. */
const admissionMs = 1_000;

/**
 * A pod is created only within the quota of its namespace. As upstream, the controller may write a usage that lacks pods its cache does not
 * show yet, and pods are not charged whose admission did not find the limits of a new quota yet: the quota may be exceeded by those, and by
 * no others.
 */
export function observeQuotas({ state }: { readonly state: ObservedState }): void {
  /** What the usage of a quota lacks, by its uid. */
  const missing = new Map<string, Amounts>();
  /** When the status of a quota first had limits, by its uid. */
  const limitedSinceMs = new Map<string, number>();
  const usageIn = (namespace: string | undefined, nowMs: number): Amounts => {
    const pods = state.list('Pod').filter((pod) => pod.metadata.namespace === namespace && isCounted(pod, nowMs));
    return { pods: pods.length, cpu: pods.reduce((sum, pod) => sum + milliCpuOf(pod), 0) };
  };
  const updateMissing = (quota: corev1.ResourceQuota, nowMs: number): void => {
    const { metadata, status } = quota;
    const used = amountsOf(status.used);
    const actual = usageIn(metadata.namespace, nowMs);
    missing.set(metadata.uid ?? '', { pods: Math.max(0, actual.pods - used.pods), cpu: Math.max(0, actual.cpu - used.cpu) });
  };
  const observeQuota = (before: corev1.ResourceQuota | undefined, after: corev1.ResourceQuota, nowMs: number): void => {
    const { uid = '' } = after.metadata;
    if (after.status.hard && !limitedSinceMs.has(uid)) limitedSinceMs.set(uid, nowMs);
    // Admission adds the pod that it admits.
    if (before && amountsOf(after.status.used).pods === amountsOf(before.status.used).pods + 1) return;
    updateMissing(after, nowMs);
  };
  const checkCreated = ({ metadata: { name, namespace } }: corev1.Pod, nowMs: number): void => {
    const usage = usageIn(namespace, nowMs);
    for (const quota of state.list('ResourceQuota')) {
      const { metadata, status } = quota;
      if (metadata.namespace !== namespace || !status.hard) continue;
      if (nowMs <= (limitedSinceMs.get(metadata.uid ?? '') ?? 0) + admissionMs) {
        updateMissing(quota, nowMs);
        continue;
      }
      const hard = amountsOf(status.hard);
      const { pods, cpu } = missing.get(metadata.uid ?? '') ?? { pods: 0, cpu: 0 };
      check(usage.pods <= hard.pods + pods, rules.quota, () => `${name} is pod ${usage.pods} of ${hard.pods}`);
      check(usage.cpu <= hard.cpu + cpu, rules.quota, () => `${name} requests ${usage.cpu} of ${hard.cpu} mCPU`);
    }
  };
  state.observe(({ kind, before, after, nowMs }) => {
    if (kind === 'ResourceQuota' && after) observeQuota(before as corev1.ResourceQuota | undefined, after as corev1.ResourceQuota, nowMs);
    else if (kind === 'Pod' && !before && after) checkCreated(after as corev1.Pod, nowMs);
  });
}

/** Pods that have not stopped in time are not counted. Cf. pkg/quota/v1/evaluator/core QuotaV1Pod. */
const isCounted = (pod: corev1.Pod, nowMs: number): boolean =>
  !isFinished(pod) && (pod.metadata.deletionTimestamp === undefined || Date.parse(pod.metadata.deletionTimestamp) > nowMs);

const milliCpuOf = ({ spec }: corev1.Pod): number =>
  (spec.containers ?? []).reduce((sum, { resources }) => sum + milliOf(resources?.requests?.['cpu'] ?? '0'), 0);

const amountsOf = (amounts: Readonly<Record<string, string>> = {}): Amounts => ({
  pods: Number(amounts['pods'] ?? Number.POSITIVE_INFINITY),
  cpu: milliOf(amounts['requests.cpu']),
});

/** Quantities of the simulation: `100m`, `2`. */
const milliOf = (quantity: string | undefined): number => {
  if (quantity === undefined) return Number.POSITIVE_INFINITY;
  return quantity.endsWith('m') ? Number.parseInt(quantity, 10) : Number(quantity) * 1_000;
};
