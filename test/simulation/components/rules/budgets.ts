import type { corev1, policyv1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import { appLabel } from '../manifests.ts';
import type { ObservedChange } from '../observed-state.ts';
import { isActive, readySinceMs } from '../pod-facts.ts';
import type { RuleContext } from './index.ts';

const isHealthy = (pod: corev1.Pod): boolean => isActive(pod) && readySinceMs(pod) !== undefined;

/**
 * An eviction is granted only while the budget has as many healthy pods as it requires without the evicted one. Pods count that were lost
 * after the state of the caches from which the status was computed: it is as old while its controller does not run, or waits for an answer.
 */
export function observeBudgets({ state, cacheRevision }: Pick<RuleContext, 'state' | 'cacheRevision'>): void {
  const lostPods = new LostPods();
  /** The revisions of pods in the caches when the statuses were computed, by the uid of the budget. */
  const computedFrom = new Map<string, number>();
  state.observe((change) => {
    if (change.kind === 'PodDisruptionBudget') {
      const { before, after } = change as ObservedChange<'PodDisruptionBudget'>;
      if (after && computedPart(before) !== computedPart(after)) computedFrom.set(after.metadata.uid ?? '', cacheRevision('pods'));
      return;
    }
    if (change.kind !== 'Pod') return;
    const { before, after } = change as ObservedChange<'Pod'>;
    lostPods.observe(before, after, change.revision);
    if (!before || !after || !isEvicted(before, after) || readySinceMs(before) === undefined) return;
    for (const budget of state.list('PodDisruptionBudget').filter((one) => selects(one, after))) {
      const since = computedFrom.get(budget.metadata.uid ?? '') ?? 0;
      const pods = [...state.list('Pod').filter(isHealthy), ...lostPods.since(since)];
      checkBudget(
        budget,
        before,
        pods.filter((pod) => selects(budget, pod)),
      );
    }
  });
}

/** Pods that were healthy, and the revision that ended that. */
class LostPods {
  readonly #lost = new Map<string, { readonly pod: corev1.Pod; readonly revision: number }>();

  observe(before: corev1.Pod | undefined, after: corev1.Pod | undefined, revision: number): void {
    if (before && isHealthy(before) && !(after && isHealthy(after))) this.#lost.set(before.metadata.uid ?? '', { pod: before, revision });
  }

  since(revision: number): readonly corev1.Pod[] {
    return [...this.#lost.values()].filter((lost) => lost.revision > revision).map(({ pod }) => pod);
  }
}

const selects = ({ spec }: policyv1.PodDisruptionBudget, { metadata }: corev1.Pod): boolean =>
  spec.selector?.matchLabels?.[appLabel] === metadata.labels?.[appLabel];

/** What the controller computes; an eviction changes other fields of the status. */
const computedPart = (budget: policyv1.PodDisruptionBudget | undefined): string => {
  const { currentHealthy, desiredHealthy, expectedPods, observedGeneration } = budget?.status ?? {};
  return JSON.stringify([currentHealthy, desiredHealthy, expectedPods, observedGeneration]);
};

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
