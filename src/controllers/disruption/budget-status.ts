import { formatTime, parseTime, sameJson } from '../../meta/index.ts';
import type { corev1, metav1, policyv1 } from '../../schema/api/index.ts';
import { isPodReady } from '../pods/index.ts';

type Budget = policyv1.PodDisruptionBudget;
type BudgetStatus = policyv1.PodDisruptionBudgetStatus;

/** Time in which an evicted pod should be deleted. Cf. pkg/controller/disruption DeletionTimeout. */
const deletionTimeoutMs = 2 * 60_000;

const conditionType = 'DisruptionAllowed';

/** The pods of `status.disruptedPods` whose deletion is still expected. Cf. buildDisruptedPodMap. */
export interface DisruptedPods {
  readonly pods: Readonly<Record<string, string>>;
  /** Delay until the first of them is overdue. */
  readonly recheckMs: number | undefined;
  /** Pods that should be deleted by now, and are not. */
  readonly overdue: readonly corev1.Pod[];
}

export function findDisruptedPods({ status }: Pick<Budget, 'status'>, pods: readonly corev1.Pod[], nowMs: number): DisruptedPods {
  const disrupted = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((pod) => {
      const since = status.disruptedPods?.[pod.metadata.name ?? ''];
      return since === undefined ? [] : [{ pod, since, leftMs: parseTime(since) + deletionTimeoutMs - nowMs }];
    });
  const expected = disrupted.filter(({ leftMs }) => leftMs >= 0);
  return {
    pods: Object.fromEntries(expected.map(({ pod, since }) => [pod.metadata.name ?? '', since])),
    recheckMs: expected.length === 0 ? undefined : Math.min(...expected.map(({ leftMs }) => leftMs)),
    overdue: disrupted.filter(({ leftMs }) => leftMs < 0).map(({ pod }) => pod),
  };
}

/** The number of ready pods that are not about to be deleted. Cf. countHealthyPods. */
export function countHealthyPods(pods: readonly corev1.Pod[], disrupted: DisruptedPods['pods'], nowMs: number): number {
  return pods.filter((pod) => {
    const since = disrupted[pod.metadata.name ?? ''];
    const isDisrupted = since !== undefined && parseTime(since) + deletionTimeoutMs > nowMs;
    return pod.metadata.deletionTimestamp === undefined && !isDisrupted && isPodReady(pod);
  }).length;
}

/** What the status of a budget is computed from. */
export interface BudgetCounts {
  readonly expected: number;
  readonly desiredHealthy: number;
  readonly healthy: number;
  readonly disrupted: DisruptedPods['pods'];
}

/** The new status of a budget; undefined when nothing changes. Cf. updatePdbStatus. */
export function nextStatus(
  { metadata, status }: Pick<Budget, 'metadata' | 'status'>,
  { expected, desiredHealthy, healthy, disrupted }: BudgetCounts,
  nowMs: number,
): BudgetStatus | undefined {
  // Without expected pods nothing may be disrupted: the controller may not have seen the first pods yet.
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, healthy - desiredHealthy);
  const isAllowed = disruptionsAllowed > 0;
  const { conditions = [], ...others } = status;
  const { generation = 0 } = metadata;
  const next = {
    currentHealthy: healthy,
    desiredHealthy,
    expectedPods: expected,
    disruptionsAllowed,
    ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
    observedGeneration: generation,
  };
  const condition = {
    type: conditionType,
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: generation,
  };
  const current = conditions.find(({ type }) => type === conditionType);
  const isConditionCurrent = current?.status === condition.status && current.reason === condition.reason;
  if (isConditionCurrent && sameJson(next, others)) return undefined;
  return { ...next, conditions: withCondition(conditions, condition, nowMs) };
}

/** The status after an error: no disruption is allowed. Cf. failSafe. */
export function failedStatus({ status }: Pick<Budget, 'status'>, message: string, nowMs: number): BudgetStatus {
  const { conditions = [], observedGeneration } = status;
  const condition = {
    type: conditionType,
    status: 'False',
    reason: 'SyncFailed',
    message,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  return { ...status, disruptionsAllowed: 0, conditions: withCondition(conditions, condition, nowMs) };
}

/** Cf. k8s.io/apimachinery meta.SetStatusCondition: the time changes with the status only. */
function withCondition(
  conditions: readonly metav1.Condition[],
  condition: Omit<metav1.Condition, 'lastTransitionTime'>,
  nowMs: number,
): readonly metav1.Condition[] {
  const before = conditions.find(({ type }) => type === condition.type);
  const isSame = before?.status === condition.status;
  const next: metav1.Condition = { ...condition, lastTransitionTime: isSame ? before.lastTransitionTime : formatTime(nowMs) };
  return before ? conditions.map((one) => (one === before ? next : one)) : [...conditions, next];
}
