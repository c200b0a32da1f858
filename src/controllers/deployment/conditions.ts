import { formatTime } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';

export type Condition = appsv1.DeploymentCondition;
export type Conditions = readonly Condition[];

export type ConditionType = 'Available' | 'Progressing' | 'ReplicaFailure';

export const reasons = {
  created: 'NewReplicaSetCreated',
  found: 'FoundNewReplicaSet',
  updated: 'ReplicaSetUpdated',
  complete: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  notCreated: 'ReplicaSetCreateError',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
} as const;

export function newCondition(
  type: ConditionType,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  nowMs: number,
): Condition {
  const now = formatTime(nowMs);
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
}

export function conditionOf(conditions: Conditions | undefined, type: ConditionType): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function withoutCondition(conditions: Conditions, type: ConditionType): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}

/** A condition with the same status and reason is not changed, also when its message differs. Cf. SetDeploymentCondition. */
export function withCondition(conditions: Conditions, condition: Condition): Conditions {
  const type = condition.type as ConditionType;
  const current = conditionOf(conditions, type);
  if (current?.status === condition.status && current.reason === condition.reason) return conditions;
  const { lastTransitionTime } = current?.status === condition.status ? current : condition;
  return [...withoutCondition(conditions, type), { ...condition, lastTransitionTime }];
}
