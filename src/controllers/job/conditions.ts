import { formatTime } from '../../meta/index.ts';
import type { batchv1 } from '../../schema/api/index.ts';

type Finishable = { readonly status: Pick<batchv1.JobStatus, 'conditions'> };

/** The condition that ended a job: `Complete` or `Failed`. Cf. pkg/controller/job/util FinishedCondition. */
export function finishedCondition({ status }: Finishable): batchv1.JobCondition | undefined {
  return status.conditions?.find(({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True');
}

export function trueCondition({ status }: Finishable, type: string): batchv1.JobCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

export function newCondition(type: string, reason: string, message: string, nowMs: number, status = 'True'): batchv1.JobCondition {
  const now = formatTime(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/**
 * The conditions with a changed or added one; undefined when they stay the same. A condition is not added with the status False.
 * Cf. ensureJobConditionStatus.
 */
export function withCondition(
  conditions: readonly batchv1.JobCondition[],
  wanted: batchv1.JobCondition,
): readonly batchv1.JobCondition[] | undefined {
  const current = conditions.find(({ type }) => type === wanted.type);
  if (!current) return wanted.status === 'False' ? undefined : [...conditions, wanted];
  const isSame = current.status === wanted.status && current.reason === wanted.reason && current.message === wanted.message;
  return isSame ? undefined : conditions.map((one) => (one === current ? wanted : one));
}
