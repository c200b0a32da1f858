import type { Product } from '../../meta/index.ts';
import { resolveIntOrPercent } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { isInRange, ordinalOf, replicasOf, startOrdinal } from './ordinals.ts';
import { isAvailable, isRunningAndReady, isTerminating, isUnavailable } from './pod-states.ts';
import { newVersionedPod, revisionOf, type VersionedSet } from './stateful-pod.ts';

/** The pods of a set by what should become of them. */
export interface SetPods {
  /** One for each ordinal of the set, in ascending order; those without a phase are to be created. */
  readonly replicas: readonly corev1.Pod[];
  /** Pods beyond the ordinals of the set, in descending order. */
  readonly condemned: readonly corev1.Pod[];
}

/** Pods without an ordinal are ignored. */
export function partitionPods(
  pods: readonly corev1.Pod[],
  current: VersionedSet,
  update: VersionedSet,
  product: Pick<Product, 'rename'>,
): SetPods {
  const { set } = update;
  const byOrdinal = new Map(pods.filter((pod) => isInRange(set, pod)).map((pod) => [ordinalOf(pod), pod]));
  const replicas = Array.from({ length: replicasOf(set) }, (_, index) => {
    const ordinal = startOrdinal(set) + index;
    return byOrdinal.get(ordinal) ?? newVersionedPod(current, update, ordinal, product);
  });
  const condemned = pods.filter((pod) => ordinalOf(pod) >= 0 && !isInRange(set, pod));
  return { replicas, condemned: condemned.toSorted((a, b) => ordinalOf(b) - ordinalOf(a)) };
}

/** The unavailable pod with the lowest ordinal, of the condemned ones only when all replicas are available. */
export function firstUnavailable(set: appsv1.StatefulSet, { replicas, condemned }: SetPods, nowMs: number): corev1.Pod | undefined {
  return [...replicas, ...condemned.toReversed()].find((pod) => isUnavailable(set, pod, nowMs));
}

/** Whether the pods of a set are created and deleted one by one. */
export function isOrdered({ spec }: appsv1.StatefulSet): boolean {
  return spec.podManagementPolicy !== 'Parallel';
}

/** Whether an ordered set waits for a replica before it goes on to the next. Cf. processReplica. */
export function blocksNext(set: appsv1.StatefulSet, replica: corev1.Pod, nowMs: number): boolean {
  return isTerminating(replica) || !isRunningAndReady(replica) || !isAvailable(set, replica, nowMs);
}

/** Whether a condemned pod of an ordered set may be deleted: it is available, or it is the first unavailable one. Cf. processCondemned. */
export function mayDeleteCondemned(
  set: appsv1.StatefulSet,
  pod: corev1.Pod,
  firstUnavailablePod: corev1.Pod | undefined,
  nowMs: number,
): boolean {
  return pod === firstUnavailablePod || (isRunningAndReady(pod) && isAvailable(set, pod, nowMs));
}

/** The next pod that a rolling update deletes; undefined while it waits, and when it is complete. Cf. updateStatefulSet. */
export function nextPodToUpdate(
  set: appsv1.StatefulSet,
  replicas: readonly corev1.Pod[],
  updateRevision: string,
  nowMs: number,
): corev1.Pod | undefined {
  const partition = set.spec.updateStrategy.rollingUpdate?.partition ?? 0;
  for (const pod of replicas.slice(partition).toReversed()) {
    if (revisionOf(pod) !== updateRevision && !isTerminating(pod)) return pod;
    if (isUnavailable(set, pod, nowMs)) return undefined;
  }
  return undefined;
}

/** The pods that a rolling update deletes with the gate MaxUnavailableStatefulSet. Cf. updateStatefulSetAfterInvariantEstablished. */
export function nextPodsToUpdate(
  set: appsv1.StatefulSet,
  replicas: readonly corev1.Pod[],
  updateRevision: string,
  nowMs: number,
): readonly corev1.Pod[] {
  const { partition = 0, maxUnavailable = 1 } = set.spec.updateStrategy.rollingUpdate ?? {};
  // A percentage is rounded down, and at least one pod may be unavailable.
  const limit = Math.max(1, resolveIntOrPercent(maxUnavailable, replicasOf(set), false));
  const unavailable = replicas.filter((pod) => isUnavailable(set, pod, nowMs)).length;
  const old = replicas.slice(partition).filter((pod) => revisionOf(pod) !== updateRevision && !isTerminating(pod));
  return old.toReversed().slice(0, Math.max(0, limit - unavailable));
}
