import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { isPodAvailable, isPodReady } from '../pods/index.ts';

/** The states of a pod that decide about the next step of a set. */

/** Whether the pod exists on the server. */
export function isCreated({ status }: corev1.Pod): boolean {
  return (status.phase ?? '') !== '';
}

export function isTerminating({ metadata }: corev1.Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isRunningAndReady(pod: corev1.Pod): boolean {
  return pod.status.phase === 'Running' && isPodReady(pod);
}

export function isAvailable({ spec }: appsv1.StatefulSet, pod: corev1.Pod, nowMs: number): boolean {
  return isPodAvailable(pod, spec.minReadySeconds ?? 0, nowMs);
}

export function isUnavailable(set: appsv1.StatefulSet, pod: corev1.Pod, nowMs: number): boolean {
  return !isAvailable(set, pod, nowMs) || isTerminating(pod);
}
