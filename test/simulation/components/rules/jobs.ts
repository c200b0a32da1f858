import type { Product } from '../../../../src/meta/index.ts';
import type { batchv1, corev1 } from '../../../../src/schema/api/index.ts';
import { check, rules } from '../../checker/violation.ts';
import type { ObservedState } from '../observed-state.ts';
import { controllerUid, isFinished } from '../pod-facts.ts';

/** The pods of a job that have finished, by UID. */
interface Finished {
  readonly succeeded: Map<string, string>;
  readonly failed: Set<string>;
  /**
   * Whether the controller has had to delete active pods: it releases them first, and its cache may show a finished pod as active. It has to when
   * parallelism is reduced, and when it has created too many, by a cache of jobs older than that of pods.
   */
  isReduced: boolean;
}

/** Counters of jobs grow by one for each finished pod, and each index is completed once. */
export function observeJobs({ state, product }: { readonly state: ObservedState; readonly product: Product }): void {
  const byJob = new Map<string, Finished>();
  const tracking = product.rename('batch.kubernetes.io/job-tracking');
  const indexAnnotation = product.rename('batch.kubernetes.io/job-completion-index');
  const finishedOf = (uid: string): Finished => {
    const known = byJob.get(uid) ?? { succeeded: new Map(), failed: new Set(), isReduced: false };
    byJob.set(uid, known);
    return known;
  };
  const observePod = (before: corev1.Pod | undefined, after: corev1.Pod | undefined): void => {
    const pod = after ?? before;
    const job = pod && state.withUid('Job', controllerUid(pod) ?? '');
    if (!pod || !job) return;
    const { uid = '', annotations } = pod.metadata;
    const finished = finishedOf(job.metadata.uid ?? '');
    if (!before && hasSurplus(state, job)) finished.isReduced = true;
    if (pod.status.phase === 'Succeeded') finished.succeeded.set(uid, annotations?.[indexAnnotation] ?? uid);
    const isTracked = (one: corev1.Pod): boolean => one.metadata.finalizers?.includes(tracking) === true;
    if (isFinished(pod) || pod.metadata.deletionTimestamp !== undefined) finished.failed.add(uid);
    const loses = before && after && isTracked(before) && !isTracked(after) && isFinished(after);
    if (loses && !finished.isReduced && !isJobFinished(job) && job.metadata.deletionTimestamp === undefined)
      checkCounted(job, after, annotations?.[indexAnnotation]);
  };
  state.observe((change) => {
    if (change.kind === 'Pod') observePod(change.before as corev1.Pod | undefined, change.after as corev1.Pod | undefined);
    if (change.kind !== 'Job' || !change.after) return;
    const [before, after] = [change.before as batchv1.Job | undefined, change.after as batchv1.Job];
    const finished = finishedOf(after.metadata.uid ?? '');
    if (before?.metadata.uid === after.metadata.uid) checkGrowth(before as batchv1.Job, after);
    if (after.spec.suspend || (after.spec.parallelism ?? 0) < (before?.spec.parallelism ?? 0)) finished.isReduced = true;
    checkCounters(after, finished);
    checkIndexes(after, finished);
  });
}

function hasSurplus(state: ObservedState, job: batchv1.Job): boolean {
  const pods = state.controlled('Pod', job).filter(({ status }) => status.phase !== 'Failed');
  return pods.length > (job.spec.completions ?? Number.POSITIVE_INFINITY);
}

const isJobFinished = ({ status }: batchv1.Job): boolean =>
  (status.conditions ?? []).some(({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True');

/** A finished pod keeps its finalizer until the job has it among those to be counted. */
function checkCounted({ metadata, spec, status }: batchv1.Job, pod: corev1.Pod, index: string | undefined): void {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const isIndexed = spec.completionMode === 'Indexed' && pod.status.phase === 'Succeeded';
  const isListed = isIndexed
    ? completedIndexes(status).includes(Number(index))
    : [...succeeded, ...failed].includes(pod.metadata.uid ?? '');
  check(isListed, rules.jobCount, () => `${pod.metadata.name} is released before ${metadata.name} has counted it`);
}

function checkGrowth(before: batchv1.Job, { metadata, status }: batchv1.Job): void {
  const [from, to] = [before.status.succeeded ?? 0, status.succeeded ?? 0];
  const isIndexedChange = before.spec.completionMode === 'Indexed' && before.spec.completions !== undefined;
  check(to >= from || isIndexedChange, rules.jobCount, () => `${metadata.name} has ${to} succeeded pods after ${from}`);
}

function checkCounters({ metadata, spec, status }: batchv1.Job, { succeeded, failed }: Finished): void {
  const uncounted = status.uncountedTerminatedPods;
  const countedSucceeded = (status.succeeded ?? 0) + (spec.completionMode === 'Indexed' ? 0 : (uncounted?.succeeded?.length ?? 0));
  check(
    countedSucceeded <= succeeded.size,
    rules.jobCount,
    () => `${metadata.name} counts ${countedSucceeded} succeeded pods of ${succeeded.size}`,
  );
  const countedFailed = (status.failed ?? 0) + (uncounted?.failed?.length ?? 0);
  check(countedFailed <= failed.size, rules.jobCount, () => `${metadata.name} counts ${countedFailed} failed pods of ${failed.size}`);
  const completions = spec.completions ?? 0;
  const isComplete = (status.conditions ?? []).some(({ type, status: value }) => type === 'Complete' && value === 'True');
  check(
    !isComplete || (status.succeeded ?? 0) >= completions,
    rules.jobCount,
    () => `${metadata.name} is complete with ${status.succeeded} of ${completions}`,
  );
}

function checkIndexes({ metadata, spec, status }: batchv1.Job, { succeeded }: Finished): void {
  if (spec.completionMode !== 'Indexed') return;
  const completed = completedIndexes(status);
  const detail = (): string => `${metadata.name} has completed ${status.completedIndexes} and counts ${status.succeeded}`;
  check(new Set(completed).size === completed.length && completed.length === (status.succeeded ?? 0), rules.jobIndex, detail);
  const indexes = new Set(succeeded.values());
  check(
    completed.every((index) => indexes.has(`${index}`)),
    rules.jobIndex,
    detail,
  );
}

const completedIndexes = (status: batchv1.JobStatus): readonly number[] =>
  (status.completedIndexes ?? '').split(',').filter(Boolean).flatMap(expand);

function expand(interval: string): readonly number[] {
  const [first = 0, last = first] = interval.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
