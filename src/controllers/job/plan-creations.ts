import { isPodTerminating } from '../pods/index.ts';
import { podFinishedMs, remainingBackoffMs } from './backoff.ts';
import { addIndexes, firstMissingIndexes, mergeIntervals } from './index-intervals.ts';
import type { IndexedPods } from './indexed-pods.ts';
import type { JobState } from './job-state.ts';
import { replacesOnlyFailedPods } from './pod-failures.ts';

type PlannedState = Pick<
  JobState,
  'job' | 'pods' | 'activePods' | 'backoff' | 'indexed' | 'succeededIndexes' | 'failedIndexes' | 'podsToReplace'
>;

export interface CreationPlan {
  /** The pods to create now, with their completion indexes in an indexed job. */
  readonly indexes: readonly (number | undefined)[];
  /** Milliseconds until the first pod may be created, when none may now after failures. */
  readonly waitMs: number;
}

/** Which of the missing pods are created now. */
export function planCreations(state: PlannedState, missing: number, nowMs: number): CreationPlan {
  const { indexed, job } = state;
  const isLimitedPerIndex = job.spec.backoffLimitPerIndex !== undefined;
  const waitMs = isLimitedPerIndex ? 0 : remainingBackoffMs(state.backoff, nowMs);
  if (waitMs > 0) return { indexes: [], waitMs };
  if (!indexed) return { indexes: Array.from({ length: missing }, () => undefined), waitMs: 0 };
  const pending = pendingIndexes(state, indexed, missing);
  if (!isLimitedPerIndex) return { indexes: pending, waitMs: 0 };
  // Cf. getPodCreationInfoForIndependentIndexes.
  const waits = pending.map((index) => remainingIndexMs(state, indexed, index, nowMs));
  const ready = pending.filter((_, at) => waits[at] === 0);
  return { indexes: ready, waitMs: ready.length > 0 || waits.length === 0 ? 0 : Math.min(...waits) };
}

/** The lowest indexes that need a pod. Cf. firstPendingIndexes. */
function pendingIndexes(state: PlannedState, indexed: IndexedPods, count: number): readonly number[] {
  let taken = addIndexes(state.succeededIndexes, indexed.indexesOf(state.activePods));
  if (replacesOnlyFailedPods(state.job)) taken = addIndexes(taken, indexed.indexesOf(state.pods.filter(isPodTerminating)));
  if (state.failedIndexes) taken = mergeIntervals(taken, state.failedIndexes);
  return firstMissingIndexes(taken, count, indexed.completions);
}

/** Milliseconds until the pod of an index may be replaced. Cf. getRemainingTimePerIndex. */
function remainingIndexMs({ podsToReplace }: PlannedState, indexed: IndexedPods, index: number, nowMs: number): number {
  const failed = podsToReplace.get(index);
  if (!failed) return 0;
  return remainingBackoffMs({ failures: indexed.allFailuresOf(failed) + 1, lastFailureMs: podFinishedMs(failed) }, nowMs);
}
