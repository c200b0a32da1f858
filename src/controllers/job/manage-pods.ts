import { hasStatus } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { byDeletionOrder, isNamespaceTerminating, isPodReady, slowStartBatch } from '../pods/index.ts';
import type { JobEnvironment } from './job-environment.ts';
import type { JobState } from './job-state.ts';
import { planCreations } from './plan-creations.ts';
import { isSuspended, replacesOnlyFailedPods } from './pod-failures.ts';
import { podFromJob } from './pod-from-job.ts';

/** Limit of creations, or deletions, in one reconciliation. */
const maxPodsPerSync = 500;
/** Changes of pods that follow each other are reconciled together. */
export const batchPeriodMs = 1_000;

/**
 * Creates missing pods, or deletes surplus ones, and updates the counts of the state.
 * Cf. pkg/controller/job/job_controller.go manageJob.
 *
 * @throws the first error of a creation or deletion, after the others
 */
export async function managePods(key: string, state: JobState, environment: JobEnvironment): Promise<void> {
  if (isSuspended(state.job)) return deletePods(key, podsToRemove(state, state.active), state, environment);
  const wanted = wantedPods(state);
  const surplus = podsToRemove(state, Math.max(0, state.active - wanted)).slice(0, maxPodsPerSync);
  if (surplus.length > 0) return deletePods(key, surplus, state, environment);
  const terminating = replacesOnlyFailedPods(state.job) ? state.terminating : 0;
  const missing = wanted - terminating - state.active;
  if (missing > 0) await createPods(key, Math.min(missing, maxPodsPerSync), state, environment);
}

/** Number of pods that should be active. */
function wantedPods({ job, succeeded, active }: Pick<JobState, 'job' | 'succeeded' | 'active'>): number {
  const { completions, parallelism = 1 } = job.spec;
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** At least `count` active pods, and all with a duplicate or invalid index. Cf. activePodsForRemoval. */
function podsToRemove({ activePods, indexed }: JobState, count: number): readonly corev1.Pod[] {
  const { surplus, single } = indexed ? indexed.splitSurplus(activePods) : { surplus: [], single: activePods };
  return surplus.length >= count ? surplus : [...surplus, ...single.toSorted(byDeletionOrder).slice(0, count - surplus.length)];
}

/** Deletes pods without counting them as failed: their finalizers are removed first. Cf. deleteJobPods. */
async function deletePods(key: string, pods: readonly corev1.Pod[], state: JobState, environment: JobEnvironment): Promise<void> {
  const { expectations, podControl } = environment;
  expectations.expectDeletions(
    key,
    pods.map(({ metadata }) => metadata.uid ?? ''),
  );
  const failures: unknown[] = [];
  let removed = 0;
  const remove = async (pod: corev1.Pod): Promise<void> => {
    try {
      await environment.removeFinalizer(pod);
      await podControl.delete(pod, state.job);
    } catch (error) {
      expectations.deletionObserved(key, pod.metadata.uid ?? '');
      if (!hasStatus(error, 404)) {
        failures.push(error);
        return;
      }
    }
    removed += 1;
    if (isPodReady(pod)) state.ready -= 1;
  };
  await Promise.all(pods.map(remove));
  state.active -= removed;
  state.terminating += removed;
  if (failures.length > 0) throw failures[0];
}

async function createPods(key: string, missing: number, state: JobState, environment: JobEnvironment): Promise<void> {
  const { clock, enqueueAfter } = environment.options;
  const { indexes, waitMs } = planCreations(state, missing, clock.nowMs());
  if (waitMs > 0) {
    enqueueAfter(key, Math.max(waitMs, batchPeriodMs));
    // The real controller reports no active pods while it delays a creation.
    state.active = 0;
    return;
  }
  const { expectations } = environment;
  expectations.expectCreations(key, indexes.length);
  const { successes, error } = await slowStartBatch(indexes.length, (at) => createPod(indexes[at], state, environment));
  state.active += successes;
  expectations.creationObserved(key, indexes.length - successes);
  if (error !== undefined) throw error;
}

async function createPod(index: number | undefined, state: JobState, { options, podControl }: JobEnvironment): Promise<void> {
  const { job, indexed, podsToReplace } = state;
  const isLimitedPerIndex = job.spec.backoffLimitPerIndex !== undefined;
  const annotations = (isLimitedPerIndex && index !== undefined && indexed?.failureAnnotations(podsToReplace.get(index))) || {};
  try {
    await podControl.create(podFromJob(job, options.names, index === undefined ? undefined : { index, annotations }), job);
  } catch (error) {
    // All further creations would fail too.
    if (!isNamespaceTerminating(error)) throw error;
  }
}
