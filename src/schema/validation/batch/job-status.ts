import { collectErrors, duplicate, invalid, type JsonObject, required } from '../../../meta/index.ts';
import type { batchv1 } from '../../api/index.ts';
import { isSemanticallyEqual } from '../accessors.ts';
import { type Errors, none, validateNonNegativeField } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { findIndexesProblem, findOverlap } from './job-indexes.ts';

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

/** A status update of a Job: the new and the old status, the spec, and the changes. Rules apply to changes, not to stored values. */
interface StatusUpdate {
  readonly status: Decoded<batchv1.JobStatus>;
  readonly before: Decoded<batchv1.JobStatus>;
  readonly spec: Decoded<batchv1.JobSpec>;
  readonly changed: (...fields: readonly (keyof batchv1.JobStatus)[]) => boolean;
  readonly turned: (...conditions: readonly string[]) => boolean;
  readonly isComplete: boolean;
  readonly isFailed: boolean;
}

/** Validates an update of a Job's status. Cf. upstream ValidateJobUpdateStatus and its strategy's getStatusValidationOptions. */
export function validateJobStatusUpdate(next: Decoded<batchv1.Job>, old: Decoded<batchv1.Job>): Errors {
  const [status, before, spec] = [next.status ?? {}, old.status ?? {}, next.spec ?? {}];
  const step: StatusUpdate = {
    status,
    before,
    spec,
    changed: (...fields) => fields.some((field) => !isSemanticallyEqual(status[field], before[field])),
    turned: (...types) => types.some((type) => isTrue(status, type) !== isTrue(before, type)),
    isComplete: isTrue(status, 'Complete'),
    isFailed: isTrue(status, 'Failed'),
  };
  return [
    ...counts.flatMap((field) => validateNonNegativeField(status, field, 'status')),
    ...validateUncountedPods(status),
    ...validateExclusiveConditions(step),
    ...validateCompletionTime(step),
    ...validatePrecedingConditions(step),
    ...validateFinishedJob(step),
    ...validateCompletedIndexes(step),
    ...validatePodCounts(step),
    ...validateSuccess(step),
    ...validateTerminalConditions(step),
    ...validateCounters(step),
    ...validateTimes(step),
    ...validateSuccessBefore(step),
  ];
}

function isTrue(status: Decoded<batchv1.JobStatus>, type: string): boolean {
  return (status.conditions ?? []).some((condition) => (condition.type ?? '') === type && (condition.status ?? '') === 'True');
}

/** Upstream omits the value here. */
function conditions(why: string): Errors[number] {
  return { reason: 'FieldValueInvalid', field: 'status.conditions', message: `Invalid value: ${why}` };
}

function validateUncountedPods(status: Decoded<batchv1.JobStatus>): Errors {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    collectErrors(status.uncountedTerminatedPods?.[list] ?? [], (uid, index): Errors => {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') return [invalid(path, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(path, uid)];
      seen.add(uid);
      return none;
    }),
  );
}

function validateExclusiveConditions({ status, turned, isComplete, isFailed }: StatusUpdate): Errors {
  return [
    ...(turned('Complete', 'Failed') && isComplete && isFailed
      ? [conditions('cannot set Complete=True and Failed=true conditions')]
      : none),
    ...(turned('Complete', 'FailureTarget') && isComplete && isTrue(status, 'FailureTarget')
      ? [conditions('cannot set Complete=True and FailureTarget=true conditions')]
      : none),
  ];
}

function validateCompletionTime({ status, changed, turned, isComplete }: StatusUpdate): Errors {
  const [end, start] = [status.completionTime, status.startTime];
  const path = 'status.completionTime';
  const isNew = turned('Complete') || changed('completionTime');
  return [
    ...(isNew && end !== undefined && !isComplete
      ? [invalid(path, end, 'cannot set completionTime when there is no Complete=True condition')]
      : none),
    ...(isNew && end === undefined && isComplete ? [required(path, 'completionTime is required for Complete jobs')] : none),
    ...(changed('startTime', 'completionTime') && start !== undefined && end !== undefined && Date.parse(end) < Date.parse(start)
      ? [invalid(path, end, 'must be equal to or after `startTime`')]
      : none),
  ];
}

/** FailureTarget precedes Failed, and SuccessCriteriaMet precedes Complete. */
function validatePrecedingConditions({ status, changed, turned, isComplete, isFailed }: StatusUpdate): Errors {
  return [
    ...((turned('Failed') || changed('failedIndexes')) && isFailed && !isTrue(status, 'FailureTarget')
      ? [conditions('cannot set Failed=True condition without the FailureTarget=true condition')]
      : none),
    ...(turned('Complete', 'SuccessCriteriaMet') && isComplete && !isTrue(status, 'SuccessCriteriaMet')
      ? [conditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')]
      : none),
  ];
}

function hasFinished(status: Decoded<batchv1.JobStatus>): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed');
}

/** A finished Job has a start time, no active pods and no uncounted pods. */
function validateFinishedJob({ status, before, spec, changed }: StatusUpdate): Errors {
  if (!hasFinished(status)) return none;
  const ended = !hasFinished(before);
  const [active, terminated] = [status.active ?? 0, status.uncountedTerminatedPods];
  const left = [...(terminated?.failed ?? []), ...(terminated?.succeeded ?? [])];
  const isEmpty = spec.suspend === true && spec.completions === 0;
  return [
    ...((ended || changed('active')) && active > 0 ? [invalid('status.active', active, 'active>0 is invalid for finished job')] : none),
    ...((ended || changed('startTime')) && !isEmpty && status.startTime === undefined
      ? [required('status.startTime', 'startTime is required for finished job')]
      : none),
    ...((ended || changed('uncountedTerminatedPods')) && left.length > 0
      ? [invalid('status.uncountedTerminatedPods', formatUncountedPods(terminated), 'must be empty for finished job')]
      : none),
  ];
}

function formatUncountedPods(pods: JsonObject | undefined): JsonObject {
  return { Succeeded: pods?.['succeeded'] ?? null, Failed: pods?.['failed'] ?? null };
}

function validateCompletedIndexes({ status, spec, changed }: StatusUpdate): Errors {
  const [done, failed] = [status.completedIndexes ?? '', status.failedIndexes];
  const completions = spec.completions;
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  const [doneChanged, failedChanged] = [changed('completedIndexes'), changed('failedIndexes')];
  const doneProblem = doneChanged && completions !== undefined ? findIndexesProblem(done, completions) : undefined;
  const failedProblem =
    failedChanged && completions !== undefined && perIndex && failed !== undefined ? findIndexesProblem(failed, completions) : undefined;
  const overlap =
    (doneChanged || failedChanged) && completions !== undefined && failed !== undefined
      ? findOverlap(done, failed, completions)
      : undefined;
  const [donePath, failedPath] = ['status.completedIndexes', 'status.failedIndexes'];
  return [
    ...(doneProblem === undefined ? none : [invalid(donePath, done, `error parsing completedIndexes: ${doneProblem}`)]),
    ...(failedProblem === undefined ? none : [invalid(failedPath, failed, `error parsing failedIndexes: ${failedProblem}`)]),
    ...(doneChanged && done !== '' && (spec.completionMode ?? '') !== 'Indexed'
      ? [invalid(donePath, done, 'cannot set non-empty completedIndexes when non-indexed completion mode')]
      : none),
    ...(failedChanged && !perIndex && failed !== undefined
      ? [invalid(failedPath, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')]
      : none),
    ...(overlap === undefined ? none : [invalid(failedPath, failed, `failedIndexes and completedIndexes overlap at index: ${overlap}`)]),
  ];
}

function validatePodCounts({ status, before, changed }: StatusUpdate): Errors {
  const [terminating, active] = [status.terminating ?? 0, status.active ?? 0];
  const ready = status.ready;
  const ended = hasFinished(status) !== hasFinished(before);
  return [
    ...((ended || changed('terminating')) && terminating > 0 && hasFinished(status)
      ? [invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : none),
    ...(changed('ready', 'active') && ready !== undefined && ready > active
      ? [invalid('status.ready', ready, 'cannot set more ready pods than active')]
      : none),
  ];
}

function validateSuccess({ status, spec, isComplete, isFailed }: StatusUpdate): Errors {
  const isMet = isTrue(status, 'SuccessCriteriaMet');
  return [
    ...(isMet && isFailed ? [conditions('cannot set SuccessCriteriaMet=True and Failed=true conditions')] : none),
    ...(isMet && isTrue(status, 'FailureTarget')
      ? [conditions('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')]
      : none),
    ...(spec.successPolicy !== undefined && !isMet && isComplete
      ? [conditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')]
      : none),
  ];
}

function validateTerminalConditions({ status, before }: StatusUpdate): Errors {
  return ['Failed', 'Complete', 'FailureTarget'].flatMap((type) =>
    isTrue(before, type) && !isTrue(status, type) ? [conditions(`cannot disable the terminal ${type}=True condition`)] : none,
  );
}

/** Counters must not decrease, except the succeeded count of an indexed Job that was scaled down. */
function validateCounters({ status, before, spec }: StatusUpdate): Errors {
  const fewer = (field: 'failed' | 'succeeded'): Errors => {
    const value = status[field] ?? 0;
    if (value >= (before[field] ?? 0)) return none;
    return [invalid(`status.${field}`, value, `cannot decrease the ${field} counter`)];
  };
  const mayScale = (spec.completionMode ?? '') === 'Indexed' && isSemanticallyEqual(spec.completions, spec.parallelism);
  return [...fewer('failed'), ...(mayScale ? none : fewer('succeeded'))];
}

function validateTimes({ status, before, spec, changed }: StatusUpdate): Errors {
  const isSuspended = (of: Decoded<batchv1.JobStatus>, value: string): boolean =>
    (of.conditions ?? []).some((one) => (one.type ?? '') === 'Suspended' && (one.status ?? '') === value);
  const isResuming = isSuspended(before, 'True') && isSuspended(status, 'False');
  const [end, oldEnd] = [status.completionTime, before.completionTime];
  return [
    ...(end !== undefined && oldEnd !== undefined && !isSemanticallyEqual(end, oldEnd)
      ? [invalid('status.completionTime', end, 'field is immutable')]
      : none),
    ...(changed('startTime') && !isResuming && before.startTime !== undefined && spec.suspend !== true
      ? [required('status.startTime', 'startTime cannot be removed for unsuspended job')]
      : none),
  ];
}

function validateSuccessBefore({ status, before }: StatusUpdate): Errors {
  const [was, is] = [isTrue(before, 'SuccessCriteriaMet'), isTrue(status, 'SuccessCriteriaMet')];
  return [
    ...(was && !is ? [conditions('cannot disable the SuccessCriteriaMet=True condition')] : none),
    ...(isTrue(before, 'Complete') && !was && is
      ? [conditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')]
      : none),
  ];
}
