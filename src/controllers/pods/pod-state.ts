import { parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** The readiness and the life of pods. Cf. pkg/api/v1/pod, pkg/controller/controller_utils.go. */

export function podCondition({ status }: Pick<corev1.Pod, 'status'>, type: string): corev1.PodCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

export function isPodReady(pod: Pick<corev1.Pod, 'status'>): boolean {
  return podCondition(pod, 'Ready')?.status === 'True';
}

/** When a ready pod became ready, in milliseconds since 1970; undefined when it is not ready or has no such time. */
export function podReadyMs(pod: Pick<corev1.Pod, 'status'>): number | undefined {
  const condition = podCondition(pod, 'Ready');
  const since = condition?.status === 'True' ? condition.lastTransitionTime : undefined;
  return since ? parseTime(since) : undefined;
}

/** Whether a pod has been ready for `minReadySeconds`. */
export function isPodAvailable(pod: Pick<corev1.Pod, 'status'>, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const sinceMs = podReadyMs(pod);
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1000 <= nowMs;
}

/**
 * Milliseconds until the next of the pods becomes available; undefined when none is about to. Cf. FindMinNextPodAvailabilityCheck.
 */
export function nextAvailabilityMs(
  pods: readonly Pick<corev1.Pod, 'status'>[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const delays = pods
    .map(podReadyMs)
    .filter((sinceMs) => sinceMs !== undefined)
    .map((sinceMs) => sinceMs + minReadySeconds * 1000 - nowMs)
    .filter((delayMs) => delayMs > 0);
  return delays.length === 0 ? undefined : Math.min(...delays);
}

/** Whether the containers of a pod have terminated and will not be restarted. */
export function isPodTerminal({ status }: Pick<corev1.Pod, 'status'>): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}

/** Whether a pod counts as a replica: it is neither terminal nor being deleted. */
export function isPodActive(pod: corev1.Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether a pod is being deleted and is not terminal yet. */
export function isPodTerminating(pod: corev1.Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}
