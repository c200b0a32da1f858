import { formatTime, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodTerminal, podCondition } from '../pods/index.ts';

/** Time in which a pod with the condition DisruptionTarget should be deleted. Cf. stalePodDisruptionTimeout. */
const timeoutMs = 2 * 60_000;

const conditionType = 'DisruptionTarget';

/**
 * Milliseconds until the condition DisruptionTarget of a pod that is not deleted is stale; undefined when it has none. The kubelet's own
 * conditions are never stale. Cf. nonTerminatingPodHasStaleDisruptionCondition.
 */
export function staleConditionMs(pod: corev1.Pod, nowMs: number): number | undefined {
  if (pod.metadata.deletionTimestamp !== undefined || isPodTerminal(pod)) return undefined;
  const condition = podCondition(pod, conditionType);
  if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
  const sinceMs = condition.lastTransitionTime ? parseTime(condition.lastTransitionTime) : 0;
  return Math.max(0, sinceMs + timeoutMs - nowMs);
}

/** The pod with the condition set to False. Cf. syncStalePodDisruption. */
export function withoutDisruptionTarget(pod: corev1.Pod, nowMs: number): corev1.Pod {
  const { generation = 0 } = pod.metadata;
  const reset = { status: 'False', lastProbeTime: null, lastTransitionTime: formatTime(nowMs), observedGeneration: generation };
  const conditions = (pod.status.conditions ?? []).map((one) => (one.type === conditionType ? { type: conditionType, ...reset } : one));
  return { ...pod, status: { ...pod.status, conditions } };
}
