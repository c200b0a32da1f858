import { cacheKeyOf, ExponentialFailureRateLimiter, type SharedInformer } from '../../client/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import type { ControllerContext } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { type ControllerLookup, controllerOf, labelMatcher } from '../pods/index.ts';
import { startWorkers } from '../start-workers.ts';
import { finishedCondition } from './conditions.ts';
import type { JobEnvironment } from './job-environment.ts';
import { isManagedByOther } from './sync-job.ts';

export interface OrphanOptions {
  readonly pods: SharedInformer<corev1.Pod>;
  readonly jobs: SharedInformer<batchv1.Job>;
  readonly lookup: ControllerLookup<batchv1.Job>;
  readonly environment: JobEnvironment;
}

export interface OrphanQueue {
  add(pod: corev1.Pod): void;
  /** Adds all pods that a job which ended selects. */
  addPodsOf(job: batchv1.Job): void;
}

/** Removes the finalizers of pods that no running job counts. Cf. pkg/controller/job/job_controller.go syncOrphanPod. */
export function startOrphanWorkers({ pods, jobs, lookup, environment }: OrphanOptions, context: ControllerContext): OrphanQueue {
  const reconcile = async (key: string): Promise<void> => {
    const pod = pods.store.get(key);
    if (!pod || isCounted(pod, lookup, environment.options.names.manager)) return;
    await ignoreNotFound(environment.removeFinalizer(pod));
  };
  const rateLimiter = new ExponentialFailureRateLimiter<string>(1_000, 60_000);
  const queue = startWorkers({ name: 'job-controller orphans', informers: [jobs, pods], reconcile, rateLimiter }, context);
  const podsIn = namespaceLister(pods.store);
  const add = (pod: corev1.Pod): void => queue.add(cacheKeyOf(pod));
  return {
    add,
    addPodsOf: ({ metadata, spec }) => {
      const matches = labelMatcher(spec.selector);
      for (const pod of podsIn(metadata.namespace)) if (matches(pod.metadata.labels)) add(pod);
    },
  };
}

/** Whether the finalizer of a pod has to remain. Cf. handleSingleOrphanPod. */
function isCounted(pod: corev1.Pod, lookup: ControllerLookup<batchv1.Job>, manager: string): boolean {
  const owner = controllerOf(pod);
  if (!owner) return false;
  if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return true;
  const job = lookup.resolve(owner, pod.metadata.namespace);
  return job !== undefined && (isManagedByOther(job, manager) || !finishedCondition(job));
}
