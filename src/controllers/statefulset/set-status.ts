import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { replicasOf } from './ordinals.ts';
import { isAvailable, isCreated, isRunningAndReady, isTerminating } from './pod-states.ts';
import { revisionOf } from './stateful-pod.ts';

/** The names of the revisions of a set. */
export interface SetRevisions {
  readonly current: string;
  readonly update: string;
  readonly collisionCount: number;
}

/** The status of a set with these pods. Cf. updateStatus. */
export function statusOf(
  set: appsv1.StatefulSet,
  pods: readonly corev1.Pod[],
  { current, update, collisionCount }: SetRevisions,
  nowMs: number,
): Required<Omit<appsv1.StatefulSetStatus, 'conditions'>> {
  const created = pods.filter(isCreated);
  const ready = pods.filter(isRunningAndReady);
  const living = created.filter((pod) => !isTerminating(pod));
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: ready.length,
    currentReplicas: living.filter((pod) => revisionOf(pod) === current).length,
    updatedReplicas: living.filter((pod) => revisionOf(pod) === update).length,
    currentRevision: current,
    updateRevision: update,
    collisionCount,
    availableReplicas: ready.filter((pod) => isAvailable(set, pod, nowMs)).length,
  };
}

/** The status after an update that is complete: the updated revision is the current one. Cf. completeRollingUpdate. */
export function completeUpdate(set: appsv1.StatefulSet, status: appsv1.StatefulSetStatus): appsv1.StatefulSetStatus {
  const { updatedReplicas = 0, readyReplicas = 0, replicas, updateRevision } = status;
  const isComplete = [updatedReplicas, readyReplicas, replicas].every((count) => count === replicasOf(set));
  if (set.spec.updateStrategy.type !== 'RollingUpdate' || !isComplete || updateRevision === undefined) return status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}

/** Whether the status of a set has to be written. Cf. inconsistentStatus. */
export function isStatusStale({ status: before }: appsv1.StatefulSet, status: appsv1.StatefulSetStatus): boolean {
  const counts = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return (
    (status.observedGeneration ?? 0) > (before.observedGeneration ?? 0) ||
    counts.some((name) => (status[name] ?? 0) !== (before[name] ?? 0)) ||
    (status.currentRevision ?? '') !== (before.currentRevision ?? '') ||
    (status.updateRevision ?? '') !== (before.updateRevision ?? '')
  );
}
