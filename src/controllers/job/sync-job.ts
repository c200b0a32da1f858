import { formatTime } from '../../meta/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { type ControlledObjects, claimObjects, isControlledBy, isPodReady, labelMatcher } from '../pods/index.ts';
import { noFailures } from './backoff.ts';
import { finishedCondition, newCondition, withCondition } from './conditions.ts';
import { deadlineInMs, finishReason } from './finish-reason.ts';
import { type JobEnvironment, settleWrites } from './job-environment.ts';
import { JobState } from './job-state.ts';
import { managePods } from './manage-pods.ts';
import { isSuspended } from './pod-failures.ts';
import { trackPods } from './track-pods.ts';

/** Whether another controller reconciles the job. Cf. managedByExternalController. */
export function isManagedByOther({ spec }: Pick<batchv1.Job, 'spec'>, manager: string): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== manager;
}

/** Reconciles a job with its pods. Cf. pkg/controller/job/job_controller.go syncJob. */
export async function syncJob(
  key: string,
  job: batchv1.Job,
  podsOf: ControlledObjects<corev1.Pod>,
  environment: JobEnvironment,
): Promise<void> {
  const { clock, enqueueAfter, names } = environment.options;
  const { uid = '' } = job.metadata;
  if (isManagedByOther(job, names.manager)) return;
  if (finishedCondition(job)) {
    environment.forget(key);
    environment.finishedUids.delete(uid);
    return;
  }
  if (environment.finishedUids.has(uid)) return;
  // Before the pods are counted: a pod that is observed in between would be created twice otherwise.
  const isCacheCurrent = environment.expectations.satisfied(key, (ms) => enqueueAfter(key, ms));
  // Before the pods are read, too: a pod that still had its finalizer then would be counted again once the removal is observed.
  const removedFinalizers = environment.finalizerExpectations.expected(key);
  const pods = await claimPods(job, podsOf, environment);
  const state = new JobState(job, pods, {
    names,
    backoff: environment.backoffs.get(key) ?? noFailures,
    removedFinalizers,
  });
  const nowMs = clock.nowMs();
  if (state.status.startTime === undefined && !isSuspended(job)) state.status.startTime = formatTime(nowMs);
  state.finished = finishReason(state, nowMs);
  const deadlineMs = deadlineInMs(job, state.status, nowMs);
  if (!state.finished && deadlineMs !== undefined) enqueueAfter(key, deadlineMs);
  const { isSuspensionChanged, failure } = await applyDecision(key, state, isCacheCurrent, environment);
  const { active = 0, ready, terminating } = job.status;
  const isChanged = isSuspensionChanged || active !== state.active || ready !== state.ready || terminating !== state.terminating;
  Object.assign(state.status, { active: state.active, ready: state.ready, terminating: state.terminating });
  await trackPods(key, state, isChanged, environment);
  if (failure !== undefined) throw failure;
}

interface Applied {
  readonly isSuspensionChanged: boolean;
  /** Of the creation or deletion of pods; thrown after the status is written. */
  readonly failure?: unknown;
}

/** Deletes the pods of a job that ends, or brings their number to the desired one. */
async function applyDecision(key: string, state: JobState, isSatisfied: boolean, environment: JobEnvironment): Promise<Applied> {
  if (state.finished) return { isSuspensionChanged: false, failure: await deleteActivePods(state, isSatisfied, environment) };
  const { job } = state;
  const isManaged = isSatisfied && job.metadata.deletionTimestamp === undefined;
  const [managed] = await Promise.allSettled(isManaged ? [managePods(key, state, environment)] : []);
  const failure = managed?.status === 'rejected' ? managed.reason : undefined;
  const { completions } = job.spec;
  const isComplete = state.active === 0 && (completions === undefined ? state.succeeded > 0 : state.succeeded >= completions);
  if (isComplete) {
    const message = 'Reached expected number of succeeded pods';
    state.finished = newCondition('SuccessCriteriaMet', 'CompletionsReached', message, environment.options.clock.nowMs());
    return { isSuspensionChanged: false, failure };
  }
  return { isSuspensionChanged: isManaged && updateSuspension(state, environment), failure };
}

/** Their finalizers are removed when they are counted. Cf. deleteActivePods. */
async function deleteActivePods(state: JobState, isSatisfied: boolean, { podControl }: JobEnvironment): Promise<unknown> {
  const { activePods, job } = state;
  const failures = await settleWrites(activePods.map((pod) => podControl.delete(pod, job)));
  const deleted = activePods.length - failures.length;
  // With remaining or unknown pods the job cannot end yet.
  if (failures.length > 0 || !isSatisfied) state.finished = undefined;
  state.active -= deleted;
  state.terminating += deleted;
  state.ready -= activePods.filter(isPodReady).length;
  return failures[0];
}

/** Sets the condition Suspended. Returns whether it changed. */
function updateSuspension(state: JobState, { options: { clock, recorder } }: JobEnvironment): boolean {
  const { job, status } = state;
  const suspended = isSuspended(job);
  const nowMs = clock.nowMs();
  const [value, reason, message] = suspended ? ['True', 'JobSuspended', 'Job suspended'] : ['False', 'JobResumed', 'Job resumed'];
  const conditions = withCondition(status.conditions ?? [], newCondition('Suspended', reason ?? '', message ?? '', nowMs, value));
  if (!conditions) return false;
  status.conditions = conditions;
  recorder.event(job, 'Normal', suspended ? 'Suspended' : 'Resumed', message ?? '');
  // The deadline counts from the last start.
  if (!suspended) status.startTime = formatTime(nowMs);
  return true;
}

/** The pods of the job; adopted ones get its finalizer. Cf. getPodsForJob. */
async function claimPods(
  job: batchv1.Job,
  podsOf: ControlledObjects<corev1.Pod>,
  environment: JobEnvironment,
): Promise<readonly corev1.Pod[]> {
  const { finalizer } = environment.options.names;
  const { name = '', namespace = '' } = job.metadata;
  const matches = labelMatcher(job.spec.selector);
  const pods = await claimObjects(podsOf.withOrphans(job), {
    controller: job,
    readController: () => environment.jobs.get({ name, namespace }),
    objects: environment.pods,
    matches: ({ metadata }) => matches(metadata.labels),
    finalizers: [finalizer],
  });
  return pods.map((pod) => {
    const { finalizers = [] } = pod.metadata;
    if (isControlledBy(pod, job) || finalizers.includes(finalizer)) return pod;
    return { ...pod, metadata: { ...pod.metadata, finalizers: [...finalizers, finalizer] } };
  });
}
