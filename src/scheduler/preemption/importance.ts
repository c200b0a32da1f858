import type { PodInfo } from '../framework/pod-info.ts';

/** When a pod started; a pod that did not counts as starting now. Cf. scheduler util GetPodStartTime. */
export function startMs({ pod }: PodInfo, nowMs: number): number {
  return pod.status.startTime ? Date.parse(pod.status.startTime) : nowMs;
}

/** Orders the more important pods first: by priority, then the older ones. Cf. scheduler util MoreImportantPod. */
export function byImportance(nowMs: number): (a: PodInfo, b: PodInfo) => number {
  return (a, b) => b.priority - a.priority || startMs(a, nowMs) - startMs(b, nowMs);
}
