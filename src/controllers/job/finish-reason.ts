import type { batchv1 } from '../../schema/api/index.ts';
import { newCondition, trueCondition } from './conditions.ts';
import { countIndexes } from './index-intervals.ts';
import type { JobState } from './job-state.ts';
import { failJobMessage } from './pod-failure-policy.ts';
import { areRestartsBeyondLimit, isPodFailed, isSuspended } from './pod-failures.ts';
import { matchSuccessPolicy } from './success-policy.ts';

/**
 * The condition with which a job ends before all its completions: earlier decisions first, then failures, then the success policy.
 * Cf. pkg/controller/job/job_controller.go syncJob.
 */
export function finishReason(state: JobState, nowMs: number): batchv1.JobCondition | undefined {
  const { job } = state;
  const successCriteria = trueCondition(job, 'SuccessCriteriaMet');
  if (successCriteria) return successCriteria;
  const failureTarget = trueCondition(job, 'FailureTarget');
  if (failureTarget) return newCondition('Failed', failureTarget.reason ?? '', failureTarget.message ?? '', nowMs);
  const failure = failureOf(state, nowMs);
  if (failure) return newCondition('FailureTarget', failure[0], failure[1], nowMs);
  const { spec } = job;
  const message = state.indexed && matchSuccessPolicy(spec.successPolicy, spec.completions ?? 0, state.succeededIndexes);
  return message === undefined ? undefined : newCondition('SuccessCriteriaMet', 'SuccessPolicy', message, nowMs);
}

/** Milliseconds until the job exceeds its deadline; undefined when it has none or is suspended. */
export function deadlineInMs({ spec }: batchv1.Job, { startTime }: batchv1.JobStatus, nowMs: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined || isSuspended({ spec })) return undefined;
  return Date.parse(startTime) + spec.activeDeadlineSeconds * 1000 - nowMs;
}

function failureOf(state: JobState, nowMs: number): readonly [reason: string, message: string] | undefined {
  const { job, failedIndexes } = state;
  const { spec } = job;
  const policyFailure = failJobMessage(
    spec.podFailurePolicy,
    state.pods.filter((pod) => isPodFailed(pod, job)),
  );
  if (policyFailure !== undefined) return ['PodFailurePolicy', policyFailure];
  if (state.failed > (spec.backoffLimit ?? 6) || areRestartsBeyondLimit(job, state.pods)) {
    return ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'];
  }
  const deadlineMs = deadlineInMs(job, state.status, nowMs);
  if (deadlineMs !== undefined && deadlineMs <= 0) return ['DeadlineExceeded', 'Job was active longer than specified deadline'];
  if (!failedIndexes) return undefined;
  const failedCount = countIndexes(failedIndexes);
  if (spec.maxFailedIndexes !== undefined && failedCount > spec.maxFailedIndexes) {
    return ['MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes'];
  }
  const isEnded = failedCount > 0 && failedCount + countIndexes(state.succeededIndexes) >= (spec.completions ?? 0);
  return isEnded ? ['FailedIndexes', 'Job has failed indexes'] : undefined;
}
