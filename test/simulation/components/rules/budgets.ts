import type { corev1, policyv1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import { appLabel } from '../manifests.ts';
import { isActive, readySinceMs } from '../pod-facts.ts';
import type { RuleContext } from './index.ts';

const isHealthy = (pod: corev1.Pod): boolean => isActive(pod) && readySinceMs(pod) !== undefined;

/**
 * An eviction is granted only while the budget has as many healthy pods as it requires without the evicted one. Pods count that were lost
 * after the state that caches show: the status of a budget is as old while its controller does not run.
 */
export function observeBudgets({ state, cacheRevision }: Pick<RuleContext, 'state' | 'cacheRevision'>): void {
  /** Pods that were healthy, and the revision that ended that. */
  const lost = new Map<string, { readonly pod: corev1.Pod; readonly revision: number }>();
  state.observe((change) => {
    if (change.kind !== 'Pod') return;
    const { before, after } = change as { before?: corev1.Pod; after?: corev1.Pod };
    if (!before) return;
    if (isHealthy(before) && !(after && isHealthy(after))) lost.set(before.metadata.uid ?? '', { pod: before, revision: change.revision });
    if (!after || !isEvicted(before, after) || readySinceMs(before) === undefined) return;
    const since = cacheRevision('pods');
    const unseen = [...lost.values()].filter(({ revision }) => revision > since).map(({ pod }) => pod);
    for (const budget of state.list('PodDisruptionBudget')) {
      const isOfBudget = ({ metadata }: corev1.Pod): boolean =>
        budget.spec.selector?.matchLabels?.[appLabel] === metadata.labels?.[appLabel];
      if (isOfBudget(after)) checkBudget(budget, before, [...state.list('Pod').filter(isHealthy), ...unseen].filter(isOfBudget));
    }
  });
}

const isEvicted = (before: corev1.Pod, after: corev1.Pod): boolean => {
  const marks = ({ status }: corev1.Pod): boolean =>
    (status.conditions ?? []).some(({ type, reason }) => type === 'DisruptionTarget' && reason === 'EvictionByEvictionAPI');
  return marks(after) && !marks(before);
};

/** At the time of an eviction the pod itself is healthy, unless it was deleted before. */
function checkBudget({ status }: policyv1.PodDisruptionBudget, evicted: corev1.Pod, pods: readonly corev1.Pod[]): void {
  const { desiredHealthy, disruptedPods = {} } = status;
  const healthy = new Set(
    pods
      .filter(({ metadata }) => metadata.uid !== evicted.metadata.uid && !(metadata.name && metadata.name in disruptedPods))
      .map(({ metadata }) => metadata.uid),
  );
  check(
    healthy.size >= (desiredHealthy ?? 0) || !isActive(evicted),
    rules.budget,
    () => `${evicted.metadata.name} is evicted with ${healthy.size} of ${desiredHealthy} healthy pods besides`,
  );
}
