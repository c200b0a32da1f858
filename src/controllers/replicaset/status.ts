import { errorMessage } from '../../env/index.ts';
import { formatTime, sameJson } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { isPodAvailable, isPodReady, labelMatcher } from '../pods/index.ts';
import { desiredReplicas, type ReplicaSetLike } from './replica-set.ts';

/** ReplicationControllers have the same status. */
export type ReplicaSetStatus = appsv1.ReplicaSetStatus;

const failureType = 'ReplicaFailure';

/**
 * The status for these active pods. `failure` is the error of the creations or deletions, undefined when all succeeded. Cf.
 * replica_set_utils.go calculateStatus.
 */
export function calculateStatus(object: ReplicaSetLike, pods: readonly corev1.Pod[], failure: unknown, nowMs: number): ReplicaSetStatus {
  const { spec, status } = object;
  const isFullyLabeled = labelMatcher({ matchLabels: spec.template?.metadata.labels ?? {} });
  const counts = {
    fullyLabeledReplicas: pods.filter(({ metadata }) => isFullyLabeled(metadata.labels)).length,
    readyReplicas: pods.filter(isPodReady).length,
    availableReplicas: pods.filter((pod) => isPodAvailable(pod, spec.minReadySeconds ?? 0, nowMs)).length,
  };
  const { observedGeneration } = status;
  return {
    replicas: pods.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...withFailure(object, pods.length, failure, nowMs),
  };
}

/** A condition that exists is not changed by another failure. */
function withFailure(object: ReplicaSetLike, podCount: number, failure: unknown, nowMs: number): Pick<ReplicaSetStatus, 'conditions'> {
  const { conditions } = object.status;
  const isFailing = conditions?.some(({ type }) => type === failureType) ?? false;
  if (failure !== undefined && !isFailing) {
    const condition = {
      type: failureType,
      status: 'True',
      lastTransitionTime: formatTime(nowMs),
      reason: failureReason(podCount - desiredReplicas(object)),
      message: errorMessage(failure),
    };
    return { conditions: [...(conditions ?? []), condition] };
  }
  if (failure === undefined && isFailing) {
    const others = conditions?.filter(({ type }) => type !== failureType) ?? [];
    return others.length > 0 ? { conditions: others } : {};
  }
  return conditions ? { conditions } : {};
}

function failureReason(surplus: number): string {
  if (surplus === 0) return '';
  return surplus < 0 ? 'FailedCreate' : 'FailedDelete';
}

/** Whether the status must be written. Cf. updateReplicaSetStatus. */
export function isStatusChanged({ metadata, status }: ReplicaSetLike, next: ReplicaSetStatus): boolean {
  if (metadata.generation !== status.observedGeneration) return true;
  const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  return counts.some((count) => (status[count] ?? 0) !== (next[count] ?? 0)) || !sameJson(status.conditions ?? [], next.conditions ?? []);
}
