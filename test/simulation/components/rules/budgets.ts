import type { corev1, policyv1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import { appLabel } from '../manifests.ts';
import type { ObservedState } from '../observed-state.ts';
import { isActive, readySinceMs } from '../pod-facts.ts';

/** An eviction is granted only while the budget has as many healthy pods as it requires without the evicted one. */
export function observeBudgets({ state }: { readonly state: ObservedState }): void {
  state.observe((change) => {
    if (change.kind !== 'Pod') return;
    const { before, after } = change as { before?: corev1.Pod; after?: corev1.Pod };
    if (!before || !after || !isEvicted(before, after) || readySinceMs(before) === undefined) return;
    for (const budget of state.list('PodDisruptionBudget')) {
      if (budget.spec.selector?.matchLabels?.[appLabel] === after.metadata.labels?.[appLabel]) checkBudget(state, budget, before);
    }
  });
}

const isEvicted = (before: corev1.Pod, after: corev1.Pod): boolean => {
  const marks = ({ status }: corev1.Pod): boolean =>
    (status.conditions ?? []).some(({ type, reason }) => type === 'DisruptionTarget' && reason === 'EvictionByEvictionAPI');
  return marks(after) && !marks(before);
};

/** At the time of an eviction the pod itself is healthy, unless it was deleted before. */
function checkBudget(state: ObservedState, budget: policyv1.PodDisruptionBudget, evicted: corev1.Pod): void {
  const { desiredHealthy, disruptedPods = {} } = budget.status;
  const healthy = state
    .list('Pod')
    .filter((pod) => pod.metadata.labels?.[appLabel] === evicted.metadata.labels?.[appLabel])
    .filter((pod) => isActive(pod) && readySinceMs(pod) !== undefined)
    .filter(({ metadata }) => metadata.uid !== evicted.metadata.uid && !(metadata.name && metadata.name in disruptedPods));
  check(
    healthy.length >= (desiredHealthy ?? 0) || !isActive(evicted),
    rules.budget,
    () => `${evicted.metadata.name} is evicted with ${healthy.length} of ${desiredHealthy} healthy pods besides`,
  );
}
