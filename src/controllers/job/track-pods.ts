import { hasStatus } from '../../client/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { newCondition, trueCondition, withCondition } from './conditions.ts';
import { addIndexes, countIndexes, formatIndexes, includesIndex } from './index-intervals.ts';
import { type JobEnvironment, settleWrites } from './job-environment.ts';
import type { JobState } from './job-state.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';
import { isPodFailed } from './pod-failures.ts';

/** Limit of pods that are counted in one reconciliation, which bounds the size of the status. */
const maxUncounted = 500;

/** The pods that can be counted now. */
interface Counting {
  readonly podsToRelease: readonly corev1.Pod[];
  readonly succeededUids: readonly string[];
  readonly succeededIndexes: readonly number[];
  readonly failedUids: readonly string[];
  /** Further pods wait for another reconciliation. */
  readonly isLimited: boolean;
}

/**
 * Counts ended pods exactly once: writes their UIDs to the status, removes their finalizers, and then increments the counters; at last
 * ends the job. Cf. pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers.
 */
export async function trackPods(key: string, state: JobState, isChanged: boolean, environment: JobEnvironment): Promise<void> {
  const { clock, recorder } = environment.options;
  const tracked = new Set(state.pods.filter((pod) => state.isTracked(pod)).map(({ metadata }) => metadata.uid ?? ''));
  const wasCleaned = countReleasedPods(state, tracked);
  const counting = chooseCounting(state);
  let mustWrite = [wasCleaned, applyCounting(state, counting), addInterimCondition(state, clock.nowMs())].includes(true) || isChanged;
  if (mustWrite) {
    state.setJob(await environment.jobs.updateStatus({ ...state.job, status: state.status }));
    environment.backoffs.set(key, state.backoff);
  }
  const released = await releasePods(key, counting.podsToRelease, environment);
  for (const uid of released.uids) tracked.delete(uid);
  mustWrite = countReleasedPods(state, tracked);
  const [failure] = released.failures;
  if (failure !== undefined) {
    if (mustWrite) await environment.jobs.updateStatus({ ...state.job, status: state.status });
    throw failure;
  }
  const finished = counting.isLimited ? undefined : finish(state, clock.nowMs());
  if (!finished && !mustWrite) return;
  const job = await environment.jobs.updateStatus({ ...state.job, status: state.status });
  if (!finished) return;
  recordFinished(job, finished, recorder);
  environment.finishedUids.add(job.metadata.uid ?? '');
}

/** Moves pods that have no finalizer any more from the list of uncounted ones to the counters. Cf. cleanUncountedPodsWithoutFinalizers. */
function countReleasedPods({ status }: Pick<JobState, 'status'>, tracked: ReadonlySet<string>): boolean {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const remaining = { succeeded: succeeded.filter((uid) => tracked.has(uid)), failed: failed.filter((uid) => tracked.has(uid)) };
  const counted = { succeeded: succeeded.length - remaining.succeeded.length, failed: failed.length - remaining.failed.length };
  if (counted.succeeded === 0 && counted.failed === 0) return false;
  status.succeeded = (status.succeeded ?? 0) + counted.succeeded;
  status.failed = (status.failed ?? 0) + counted.failed;
  status.uncountedTerminatedPods = remaining;
  return true;
}

function chooseCounting(state: JobState): Counting {
  const { indexed, status } = state;
  const pods = indexed ? state.pods.toSorted((one, other) => indexed.compare(one, other)) : state.pods;
  const podsToRelease: corev1.Pod[] = [];
  const succeededUids: string[] = [];
  const succeededIndexes: number[] = [];
  const failedUids: string[] = [];
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  for (const pod of pods) {
    if (!state.isTracked(pod) || !isReleasable(state, pod)) continue;
    podsToRelease.push(pod);
    const { uid = '' } = pod.metadata;
    const result = resultOf(state, pod);
    if (result === 'failed') failedUids.push(uid);
    else if (result === 'succeeded') succeededUids.push(uid);
    else if (result !== undefined) succeededIndexes.push(result);
    const count = succeededIndexes.length + succeeded.length + succeededUids.length + failed.length + failedUids.length;
    if (count >= maxUncounted) return { podsToRelease, succeededUids, succeededIndexes, failedUids, isLimited: true };
  }
  return { podsToRelease, succeededUids, succeededIndexes, failedUids, isLimited: false };
}

/** Whether the finalizer of a pod can be removed. Cf. canRemoveFinalizer. */
function isReleasable({ finished, indexed, job, podsToReplace }: JobState, pod: corev1.Pod): boolean {
  if (job.metadata.deletionTimestamp !== undefined || finished || pod.status.phase === 'Succeeded') return true;
  if (!isPodFailed(pod, job)) return false;
  const index = indexed?.indexOf(pod);
  return index === undefined || podsToReplace.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** How a pod is counted: by its UID or its completion index; undefined when it is counted already, or not at all. */
function resultOf(state: JobState, pod: corev1.Pod): 'succeeded' | 'failed' | number | undefined {
  const { finished, indexed, job } = state;
  const { uid = '' } = pod.metadata;
  const index = indexed?.validIndexOf(pod);
  if (state.uncountedFailed.has(uid)) return undefined;
  if (pod.status.phase === 'Succeeded') {
    if (!indexed) return state.uncountedSucceeded.has(uid) ? undefined : 'succeeded';
    return index === undefined || includesIndex(indexed.countedIndexes, index) ? undefined : index;
  }
  // When the job ends, its remaining pods count as failed, except when it succeeded.
  const isEnded = isPodFailed(pod, job) || (finished !== undefined && finished.type !== 'SuccessCriteriaMet');
  if (!isEnded || (indexed && index === undefined)) return undefined;
  return matchPodFailurePolicy(job.spec.podFailurePolicy, pod).isCounted ? 'failed' : undefined;
}

function applyCounting(state: JobState, { succeededUids, succeededIndexes, failedUids }: Counting): boolean {
  const { indexed, status } = state;
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  status.uncountedTerminatedPods = { succeeded: [...succeeded, ...succeededUids], failed: [...failed, ...failedUids] };
  let isChanged = succeededUids.length + succeededIndexes.length + failedUids.length > 0;
  if (!indexed) return isChanged;
  state.succeededIndexes = addIndexes(state.succeededIndexes, succeededIndexes);
  const completedIndexes = formatIndexes(state.succeededIndexes);
  isChanged ||= completedIndexes !== (status.completedIndexes ?? '');
  status.succeeded = countIndexes(state.succeededIndexes);
  status.completedIndexes = completedIndexes;
  const failedIndexes = state.failedIndexes && formatIndexes(state.failedIndexes);
  if (failedIndexes === status.failedIndexes) return isChanged;
  if (failedIndexes === undefined) delete status.failedIndexes;
  else status.failedIndexes = failedIndexes;
  return true;
}

/** Writes why the job ends before its pods are released, and prepares the final condition. */
function addInterimCondition(state: JobState, nowMs: number): boolean {
  const { finished, job, status } = state;
  if (finished?.type === 'FailureTarget') {
    status.conditions = [...(status.conditions ?? []), finished];
    state.finished = newCondition('Failed', finished.reason ?? '', finished.message ?? '', nowMs);
    return true;
  }
  if (finished?.type !== 'SuccessCriteriaMet') return false;
  state.finished = newCondition('Complete', finished.reason ?? '', finished.message ?? '', nowMs);
  if (trueCondition(job, 'SuccessCriteriaMet')) return false;
  status.conditions = [...(status.conditions ?? []), finished];
  return true;
}

/** Removes finalizers. Returns the pods that have none any more. Cf. removeTrackingFinalizerFromPods. */
async function releasePods(
  key: string,
  pods: readonly corev1.Pod[],
  environment: JobEnvironment,
): Promise<{ readonly uids: readonly string[]; readonly failures: readonly unknown[] }> {
  const { finalizerExpectations } = environment;
  if (pods.length === 0) return { uids: [], failures: [] };
  finalizerExpectations.expectRemovals(
    key,
    pods.map(({ metadata }) => metadata.uid ?? ''),
  );
  const uids: string[] = [];
  const release = async (pod: corev1.Pod): Promise<void> => {
    const { uid = '' } = pod.metadata;
    try {
      await environment.removeFinalizer(pod);
    } catch (error) {
      finalizerExpectations.removalObserved(key, uid);
      if (!hasStatus(error, 404)) throw error;
    }
    uids.push(uid);
  };
  return { failures: await settleWrites(pods.map(release)), uids };
}

/** Adds the final condition once all pods are counted and none is terminating. Cf. enactJobFinished. */
function finish({ finished, status, terminating }: JobState, nowMs: number): batchv1.JobCondition | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (!finished || succeeded.length + failed.length > 0 || terminating > 0) return undefined;
  const final = newCondition(finished.type, finished.reason ?? '', finished.message ?? '', nowMs);
  status.conditions = withCondition(status.conditions ?? [], final) ?? status.conditions ?? [];
  if (finished.type === 'Complete' && finished.lastTransitionTime) status.completionTime = finished.lastTransitionTime;
  return finished;
}

/** Cf. recordJobFinished. */
function recordFinished(job: batchv1.Job, finished: batchv1.JobCondition, recorder: JobEnvironment['options']['recorder']): void {
  if (finished.type !== 'Complete') {
    recorder.event(job, 'Warning', finished.reason ?? '', finished.message ?? '');
    return;
  }
  const { completions } = job.spec;
  if (completions !== undefined && (job.status.succeeded ?? 0) > completions) {
    recorder.event(job, 'Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
  }
  recorder.event(job, 'Normal', 'Completed', 'Job completed');
}
