import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { isPodActive, isPodReady, isPodTerminating } from '../pods/index.ts';
import { type BackoffRecord, updateBackoff } from './backoff.ts';
import { countIndexes, type IndexIntervals } from './index-intervals.ts';
import { IndexedPods } from './indexed-pods.ts';
import type { JobNames } from './names.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';
import { isIndexed, isPodFailed } from './pod-failures.ts';

export type JobStatusDraft = { -readonly [Field in keyof batchv1.JobStatus]: batchv1.JobStatus[Field] };

export interface JobStateOptions {
  readonly names: JobNames;
  readonly backoff: BackoffRecord;
  /** UIDs of pods whose finalizers were removed, which the cache does not show yet. */
  readonly removedFinalizers: ReadonlySet<string>;
}

/** A job with its pods during one reconciliation. Cf. pkg/controller/job/job_controller.go syncJobCtx. */
export class JobState {
  readonly pods: readonly corev1.Pod[];
  readonly activePods: readonly corev1.Pod[];
  readonly indexed: IndexedPods | undefined;
  readonly backoff: BackoffRecord;
  readonly uncountedSucceeded: ReadonlySet<string>;
  readonly uncountedFailed: ReadonlySet<string>;
  /** The failed pods that were not counted before. */
  readonly failed: number;
  /** As read from the server or returned by the last write. */
  job: batchv1.Job;
  /** The status that is written next. */
  status: JobStatusDraft;
  active: number;
  ready: number;
  terminating: number;
  succeeded: number;
  succeededIndexes: IndexIntervals = [];
  /** Only with a limit per index. */
  failedIndexes: IndexIntervals | undefined;
  podsToReplace: ReadonlyMap<number, corev1.Pod> = new Map();
  /** Why the job ends: an interim or a final condition. */
  finished: batchv1.JobCondition | undefined;
  readonly #options: JobStateOptions;

  constructor(job: batchv1.Job, pods: readonly corev1.Pod[], options: JobStateOptions) {
    this.#options = options;
    this.job = job;
    const uncounted = job.status.uncountedTerminatedPods ?? {};
    this.status = { ...job.status, uncountedTerminatedPods: uncounted };
    this.indexed = isIndexed(job) ? new IndexedPods(job, options.names) : undefined;
    this.pods = pods;
    this.activePods = pods.filter(isPodActive);
    this.active = this.activePods.length;
    this.ready = this.activePods.filter(isPodReady).length;
    this.terminating = pods.filter(isPodTerminating).length;
    this.uncountedSucceeded = new Set(uncounted.succeeded);
    this.uncountedFailed = new Set(uncounted.failed);
    const newSucceeded = this.#newlyEnded(this.uncountedSucceeded, ({ status }) => status.phase === 'Succeeded');
    const newFailed = this.#newlyEnded(this.uncountedFailed, (pod) => isPodFailed(pod, job));
    const counted = newFailed.filter((pod) => matchPodFailurePolicy(job.spec.podFailurePolicy, pod).isCounted);
    this.succeeded = (job.status.succeeded ?? 0) + newSucceeded.length + this.uncountedSucceeded.size;
    this.failed = (job.status.failed ?? 0) + counted.length + this.uncountedFailed.size;
    this.backoff = updateBackoff(options.backoff, newSucceeded, newFailed);
    if (this.indexed) this.#countIndexes(this.indexed);
  }

  /** Whether a pod still has to be counted: its finalizer remains. */
  isTracked({ metadata }: corev1.Pod): boolean {
    const isRemoved = this.#options.removedFinalizers.has(metadata.uid ?? '');
    return !isRemoved && this.hasFinalizer(metadata);
  }

  hasFinalizer({ finalizers }: Pick<corev1.Pod['metadata'], 'finalizers'>): boolean {
    return finalizers?.includes(this.#options.names.finalizer) === true;
  }

  /** The result of a write. */
  setJob(job: batchv1.Job): void {
    this.job = job;
    this.status = { ...job.status, uncountedTerminatedPods: job.status.uncountedTerminatedPods ?? {} };
  }

  #countIndexes(indexed: IndexedPods): void {
    const withFinalizer = this.pods.filter(({ metadata }) => this.hasFinalizer(metadata));
    this.succeededIndexes = indexed.succeededIndexes(withFinalizer);
    this.succeeded = countIndexes(this.succeededIndexes);
    if (this.job.spec.backoffLimitPerIndex === undefined) return;
    this.failedIndexes = indexed.failedIndexes(withFinalizer);
    const failed = this.#newlyEnded(new Set(), (pod) => isPodFailed(pod, this.job));
    const ended = { succeeded: this.succeededIndexes, failed: this.failedIndexes };
    this.podsToReplace = indexed.podsToReplace(failed, this.activePods, ended);
  }

  /** Pods that ended and are not counted yet; of an indexed job those with a valid index. Cf. getValidPodsWithFilter. */
  #newlyEnded(uncounted: ReadonlySet<string>, isEnded: (pod: corev1.Pod) => boolean): readonly corev1.Pod[] {
    return this.pods.filter((pod) => {
      if (!this.isTracked(pod) || uncounted.has(pod.metadata.uid ?? '')) return false;
      return (!this.indexed || this.indexed.validIndexOf(pod) !== undefined) && isEnded(pod);
    });
  }
}
