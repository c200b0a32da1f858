import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { byDeletionOrder } from '../pods/index.ts';
import { podFinishedMs } from './backoff.ts';
import { addIndexes, type IndexIntervals, includesIndex, parseIndexes } from './index-intervals.ts';
import type { JobNames } from './names.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';
import { isPodFailed } from './pod-failures.ts';

/** The pods of an indexed job. Cf. pkg/controller/job/indexed_job_utils.go. */
export class IndexedPods {
  readonly #job: Pick<batchv1.Job, 'spec' | 'status'>;
  readonly #names: JobNames;
  /** The succeeded indexes that the status contains, without those that the job does not have any more. */
  readonly countedIndexes: IndexIntervals;

  constructor(job: Pick<batchv1.Job, 'spec' | 'status'>, names: JobNames) {
    this.#job = job;
    this.#names = names;
    this.countedIndexes = parseIndexes(job.status.completedIndexes ?? '', this.completions);
  }

  get completions(): number {
    return this.#job.spec.completions ?? 0;
  }

  /** The completion index of a pod; undefined when it has none. Cf. getCompletionIndex. */
  indexOf({ metadata }: corev1.Pod): number | undefined {
    const text = metadata.annotations?.[this.#names.completionIndex] ?? '';
    return /^\+?\d+$/.test(text) ? Number(text) : undefined;
  }

  /** The completion index when the job still has it. */
  validIndexOf(pod: corev1.Pod): number | undefined {
    const index = this.indexOf(pod);
    return index !== undefined && index < this.completions ? index : undefined;
  }

  indexesOf(pods: readonly corev1.Pod[]): ReadonlySet<number> {
    return new Set(pods.flatMap((pod) => this.indexOf(pod) ?? []));
  }

  compare(one: corev1.Pod, other: corev1.Pod): number {
    return (this.indexOf(one) ?? -1) - (this.indexOf(other) ?? -1);
  }

  /** With the indexes of succeeded pods that are not counted yet. Cf. calculateSucceededIndexes. */
  succeededIndexes(uncounted: readonly corev1.Pod[]): IndexIntervals {
    const succeeded = uncounted.filter(({ status }) => status.phase === 'Succeeded');
    return addIndexes(
      this.countedIndexes,
      succeeded.flatMap((pod) => this.validIndexOf(pod) ?? []),
    );
  }

  /** Cf. calculateFailedIndexes. */
  failedIndexes(uncounted: readonly corev1.Pod[]): IndexIntervals {
    const counted = parseIndexes(this.#job.status.failedIndexes ?? '', this.completions);
    return addIndexes(
      counted,
      uncounted.filter((pod) => this.#failsIndex(pod)).flatMap((pod) => this.validIndexOf(pod) ?? []),
    );
  }

  /** Cf. isIndexFailed. */
  #failsIndex(pod: corev1.Pod): boolean {
    if (!isPodFailed(pod, this.#job)) return false;
    const { isCounted, action } = matchPodFailurePolicy(this.#job.spec.podFailurePolicy, pod);
    return action === 'FailIndex' || (isCounted && this.#failuresOf(pod) >= (this.#job.spec.backoffLimitPerIndex ?? 0));
  }

  #failuresOf({ metadata }: corev1.Pod): number {
    return parseCount(metadata.annotations?.[this.#names.failureCount]);
  }

  /** With the failures that the policy ignores. */
  allFailuresOf(pod: corev1.Pod): number {
    return this.#failuresOf(pod) + parseCount(pod.metadata.annotations?.[this.#names.ignoredFailureCount]);
  }

  /**
   * By index, the failed pods whose finalizers remain until their replacements exist: these get the number of failures from them.
   * Cf. getPodsWithDelayedDeletionPerIndex.
   */
  podsToReplace(
    failed: readonly corev1.Pod[],
    active: readonly corev1.Pod[],
    ended: { readonly succeeded: IndexIntervals; readonly failed: IndexIntervals },
  ): ReadonlyMap<number, corev1.Pod> {
    const activeIndexes = this.indexesOf(active);
    const byIndex = new Map<number, corev1.Pod>();
    for (const pod of failed) {
      const index = this.validIndexOf(pod);
      if (index === undefined || activeIndexes.has(index)) continue;
      if (includesIndex(ended.succeeded, index) || includesIndex(ended.failed, index)) continue;
      const known = byIndex.get(index);
      if (!known || this.#isLaterFailure(pod, known)) byIndex.set(index, pod);
    }
    return byIndex;
  }

  #isLaterFailure(pod: corev1.Pod, known: corev1.Pod): boolean {
    return this.allFailuresOf(known) <= this.allFailuresOf(pod) && podFinishedMs(pod) >= podFinishedMs(known);
  }

  /** The annotations of a pod that count the failures of its index. Cf. addIndexFailureCountAnnotation. */
  failureAnnotations(replaced: corev1.Pod | undefined): Readonly<Record<string, string>> {
    const ignored = parseCount(replaced?.metadata.annotations?.[this.#names.ignoredFailureCount]);
    const counted = replaced ? this.#failuresOf(replaced) : 0;
    const isCounted = replaced && matchPodFailurePolicy(this.#job.spec.podFailurePolicy, replaced).isCounted;
    const failures = counted + (isCounted ? 1 : 0);
    const ignoredFailures = ignored + (replaced && !isCounted ? 1 : 0);
    return {
      [this.#names.failureCount]: `${failures}`,
      ...(ignoredFailures > 0 ? { [this.#names.ignoredFailureCount]: `${ignoredFailures}` } : {}),
    };
  }

  /** Splits active pods into surplus ones, and one of each valid index. Cf. appendDuplicatedIndexPodsForRemoval. */
  splitSurplus(active: readonly corev1.Pod[]): { readonly surplus: readonly corev1.Pod[]; readonly single: readonly corev1.Pod[] } {
    const surplus: corev1.Pod[] = [];
    const single: corev1.Pod[] = [];
    const byIndex = new Map<number, corev1.Pod[]>();
    for (const pod of active.toSorted((one, other) => this.compare(one, other))) {
      const index = this.validIndexOf(pod);
      if (index === undefined) surplus.push(pod);
      else byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
    }
    for (const pods of byIndex.values()) {
      const sorted = pods.sort(byDeletionOrder);
      surplus.push(...sorted.slice(0, -1));
      single.push(...sorted.slice(-1));
    }
    return { surplus, single };
  }
}

/** An invalid count is 0. */
function parseCount(text = ''): number {
  const count = /^\+?\d+$/.test(text) ? Number(text) : 0;
  return count <= 0x7fffffff ? count : 0;
}
