import { parseTime } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';
import { type Condition, type Conditions, conditionOf, newCondition, reasons, withCondition, withoutCondition } from './conditions.ts';
import { allSets, calculateStatus, type DeploymentStatus, isComplete, type ReplicaSets } from './status.ts';

const maxInt32 = 2 ** 31 - 1;

/** Cf. HasProgressDeadline. */
export function hasProgressDeadline({ spec }: Pick<appsv1.Deployment, 'spec'>): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== maxInt32;
}

/** The status during a rollout, with its progress and the failures of its sets. Cf. progress.go syncRolloutStatus. */
export function rolloutStatus(deployment: appsv1.Deployment, sets: ReplicaSets, nowMs: number): DeploymentStatus {
  const status = calculateStatus(deployment, sets, nowMs);
  const before = status.conditions ?? [];
  const progressed = hasProgressDeadline(deployment)
    ? withProgress(deployment, status, sets.newSet, nowMs)
    : withoutCondition(before, 'Progressing');
  const failure = replicaFailure(sets);
  const conditions = failure ? withCondition(progressed, failure) : withoutCondition(progressed, 'ReplicaFailure');
  return { ...status, conditions };
}

function withProgress(
  deployment: appsv1.Deployment,
  status: DeploymentStatus,
  newSet: appsv1.ReplicaSet | undefined,
  nowMs: number,
): Conditions {
  const conditions = status.conditions ?? [];
  const current = conditionOf(deployment.status.conditions, 'Progressing');
  const isResync = (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === reasons.complete;
  if (isResync) return conditions;
  const subject = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(conditions, newCondition('Progressing', 'True', reasons.complete, message, nowMs));
  }
  if (isProgressing(deployment.status, status)) {
    const progressing = newCondition('Progressing', 'True', reasons.updated, `${subject} is progressing.`, nowMs);
    return withNewProgress(conditions, current, progressing);
  }
  if (isTimedOut(deployment, conditionOf(conditions, 'Progressing'), nowMs)) {
    const message = `${subject} has timed out progressing.`;
    return withCondition(conditions, newCondition('Progressing', 'False', reasons.timedOut, message, nowMs));
  }
  return conditions;
}

/** Replaces the condition also when status and reason are the same: the deadline is counted from its lastUpdateTime. */
function withNewProgress(conditions: Conditions, current: Condition | undefined, condition: Condition): Conditions {
  const { lastTransitionTime } = current?.status === 'True' ? current : condition;
  return [...withoutCondition(conditions, 'Progressing'), { ...condition, lastTransitionTime }];
}

/** Cf. DeploymentProgressing. */
function isProgressing(before: DeploymentStatus, status: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number => replicas - updatedReplicas;
  const grew = (count: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'): boolean => (status[count] ?? 0) > (before[count] ?? 0);
  return grew('updatedReplicas') || old(status) < old(before) || grew('readyReplicas') || grew('availableReplicas');
}

/** Cf. DeploymentTimedOut. */
function isTimedOut(deployment: appsv1.Deployment, condition: Condition | undefined, nowMs: number): boolean {
  if (!condition || condition.reason === reasons.complete) return false;
  return condition.reason === reasons.timedOut || deadlineMs(deployment, condition) < nowMs;
}

/** When a deployment without further progress times out, in milliseconds since 1970. */
function deadlineMs({ spec }: appsv1.Deployment, { lastUpdateTime }: Condition): number {
  return (lastUpdateTime ? parseTime(lastUpdateTime) : 0) + (spec.progressDeadlineSeconds ?? 0) * 1000;
}

/**
 * Milliseconds until a deployment without progress must be checked again; undefined when it needs no check. 0: soon. Cf.
 * requeueStuckDeployment.
 */
export function deadlineCheckMs(deployment: appsv1.Deployment, status: DeploymentStatus, nowMs: number): number | undefined {
  const condition = conditionOf(deployment.status.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || !condition) return undefined;
  if (isComplete(deployment, status) || condition.reason === reasons.timedOut) return undefined;
  const remainingMs = deadlineMs(deployment, condition) - nowMs;
  // One second more, since times are in whole seconds.
  return remainingMs < 1000 ? 0 : remainingMs + 1000;
}

/** The failure of the new set, or else of an old one. Cf. getReplicaFailures. */
function replicaFailure(sets: ReplicaSets): Condition | undefined {
  const { newSet } = sets;
  const failures = (newSet ? [newSet, ...allSets(sets)] : allSets(sets)).flatMap(({ status }) => status.conditions ?? []);
  const failure = failures.find(({ type }) => type === 'ReplicaFailure');
  if (!failure) return undefined;
  const { status, lastTransitionTime, reason, message } = failure;
  return {
    type: 'ReplicaFailure',
    status,
    lastUpdateTime: lastTransitionTime,
    lastTransitionTime,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
}
