import { sidecarsOf } from '../../component-helpers/index.ts';
import { compareTexts, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodReady, podReadyMs } from './pod-state.ts';

/** Negative when the first pod is deleted before the second one. */
export type PodComparison = (a: corev1.Pod, b: corev1.Pod) => number;

export interface DeletionRanking {
  /** The higher, the sooner the pod is deleted: the number of related pods on its node. */
  readonly rankOf: (pod: corev1.Pod) => number;
  readonly nowMs: number;
  /** The annotation with the cost of a deletion. */
  readonly costAnnotation: string;
}

/** The order of pods when a controller has too many. Cf. controller_utils.go ActivePods. */
export const byDeletionOrder: PodComparison = firstDifference(
  unassignedFirst,
  byPhase,
  notReadyFirst,
  laterFirst(podReadyMsIfBothReady),
  moreRestartsFirst,
  laterFirst(createdMs),
);

/**
 * The order that also considers related pods on the same node and deletion costs. Ages are compared logarithmically, so that the pods of
 * one node or of one time are not always the first. Cf. controller_utils.go ActivePodsWithRanks.
 */
export function byRankedDeletionOrder({ rankOf, nowMs, costAnnotation }: DeletionRanking): PodComparison {
  return firstDifference(
    unassignedFirst,
    byPhase,
    notReadyFirst,
    (a, b) => deletionCost(a, costAnnotation) - deletionCost(b, costAnnotation),
    (a, b) => rankOf(b) - rankOf(a),
    youngerClassFirst(podReadyMsIfBothReady, nowMs),
    moreRestartsFirst,
    youngerClassFirst(createdMs, nowMs),
  );
}

function firstDifference(...comparisons: readonly PodComparison[]): PodComparison {
  return (a, b) => {
    for (const compare of comparisons) {
      const difference = compare(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

function unassignedFirst(a: corev1.Pod, b: corev1.Pod): number {
  return Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName));
}

const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

function byPhase(a: corev1.Pod, b: corev1.Pod): number {
  return (phaseOrder[a.status.phase ?? ''] ?? 0) - (phaseOrder[b.status.phase ?? ''] ?? 0);
}

function notReadyFirst(a: corev1.Pod, b: corev1.Pod): number {
  return Number(isPodReady(a)) - Number(isPodReady(b));
}

/** A cost that is no valid 32-bit integer counts as 0. Cf. helper.GetDeletionCostFromPodAnnotations. */
function deletionCost({ metadata }: corev1.Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation] ?? '0';
  const cost = /^(?:-\d{1,40}|0|[1-9]\d{0,40})$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** A time of a pod for a comparison with another one; undefined when it does not count. */
type PodTime = (pod: corev1.Pod, other: corev1.Pod) => number | null | undefined;

/** Null for a ready pod without a time. */
function podReadyMsIfBothReady(pod: corev1.Pod, other: corev1.Pod): number | null | undefined {
  return isPodReady(pod) && isPodReady(other) ? (podReadyMs(pod) ?? null) : undefined;
}

function createdMs({ metadata }: corev1.Pod): number | null {
  return metadata.creationTimestamp === undefined ? null : parseTime(metadata.creationTimestamp);
}

/** An unknown time is the latest. Cf. afterOrZero. */
function laterFirst(timeOf: PodTime): PodComparison {
  return (a, b) => {
    const [first, second] = [timeOf(a, b), timeOf(b, a)];
    if (first === second || first === undefined || second === undefined) return 0;
    if (first === null || second === null) return first === null ? -1 : 1;
    return second - first;
  };
}

/** Different times of one class of ages are ordered by UID. Cf. logarithmicRankDiff. */
function youngerClassFirst(timeOf: PodTime, nowMs: number): PodComparison {
  const unknownFirst = laterFirst(timeOf);
  return (a, b) => {
    const [first, second] = [timeOf(a, b), timeOf(b, a)];
    if (first === second || first === undefined || second === undefined) return 0;
    if (first === null || second === null) return unknownFirst(a, b);
    return ageClass(first, nowMs) - ageClass(second, nowMs) || compareTexts(a.metadata.uid ?? '', b.metadata.uid ?? '');
  };
}

/** The binary logarithm of the age in nanoseconds. */
function ageClass(sinceMs: number, nowMs: number): number {
  const nanos = (nowMs - sinceMs) * 1e6;
  return nanos > 0 ? Math.trunc(Math.log2(nanos)) : -1;
}

function moreRestartsFirst(a: corev1.Pod, b: corev1.Pod): number {
  return mostRestarts(b) - mostRestarts(a) || mostSidecarRestarts(b) - mostSidecarRestarts(a);
}

function mostRestarts({ status }: corev1.Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

/** Of init containers that run as long as the pod. */
function mostSidecarRestarts({ spec, status }: corev1.Pod): number {
  const sidecars = new Set(sidecarsOf(spec).map(({ name }) => name));
  const restarts = (status.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)).map(({ restartCount }) => restartCount);
  return Math.max(0, ...restarts);
}
