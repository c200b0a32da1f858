import { cacheKeyOf, type EventHandler } from '../../client/index.ts';
import { sameJson } from '../../meta/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { type ControllerLookup, controllerOf } from '../pods/index.ts';
import { finishedCondition } from './conditions.ts';
import type { JobEnvironment } from './job-environment.ts';

export interface PodHandlerOptions {
  readonly lookup: ControllerLookup<batchv1.Job>;
  readonly environment: JobEnvironment;
  readonly enqueue: (job: batchv1.Job) => void;
  /** A pod whose finalizer is not removed by the reconciliation of a job. */
  readonly enqueueOrphan: (pod: corev1.Pod) => void;
}

/** Maps the changes of pods to their jobs. Cf. pkg/controller/job/job_controller.go addPod, updatePod, deletePod. */
export function podHandlers({ lookup, environment, enqueue, enqueueOrphan }: PodHandlerOptions): Required<EventHandler<corev1.Pod>> {
  const { expectations, finalizerExpectations } = environment;
  const { finalizer } = environment.options.names;
  const hasFinalizer = ({ metadata }: corev1.Pod): boolean => metadata.finalizers?.includes(finalizer) === true;

  const enqueueMatching = (pod: corev1.Pod): void => {
    for (const job of lookup.matching(pod)) enqueue(job);
  };
  const enqueueWithRemoval = (job: batchv1.Job | undefined, pod: corev1.Pod): void => {
    if (!job) return;
    if (!hasFinalizer(pod)) finalizerExpectations.removalObserved(cacheKeyOf(job), pod.metadata.uid ?? '');
    enqueue(job);
  };

  const onDeleted = (pod: corev1.Pod, isRemoved: boolean): void => {
    const job = lookup.ownerOf(pod);
    if (!job || finishedCondition(job)) {
      // A pod of another kind of owner is recognized later.
      if (hasFinalizer(pod)) enqueueOrphan(pod);
      return;
    }
    const [key, { uid = '' }] = [cacheKeyOf(job), pod.metadata];
    expectations.deletionObserved(key, uid);
    if (isRemoved || !hasFinalizer(pod)) finalizerExpectations.removalObserved(key, uid);
    enqueue(job);
  };

  const onAdd = (pod: corev1.Pod): void => {
    if (pod.metadata.deletionTimestamp !== undefined) {
      onDeleted(pod, false);
      return;
    }
    if (!controllerOf(pod)) {
      if (hasFinalizer(pod)) enqueueOrphan(pod);
      enqueueMatching(pod);
      return;
    }
    const job = lookup.ownerOf(pod);
    if (!job) return;
    expectations.creationObserved(cacheKeyOf(job));
    enqueue(job);
  };

  const onUpdate = (pod: corev1.Pod, old: corev1.Pod): void => {
    if (pod.metadata.deletionTimestamp !== undefined) {
      onDeleted(pod, false);
      return;
    }
    const isTransferred = !sameJson(controllerOf(pod) ?? null, controllerOf(old) ?? null);
    if (isTransferred) enqueueWithRemoval(lookup.ownerOf(old), pod);
    if (controllerOf(pod)) {
      enqueueWithRemoval(lookup.ownerOf(pod), pod);
      return;
    }
    if (hasFinalizer(pod)) enqueueOrphan(pod);
    if (isTransferred || !sameJson(pod.metadata.labels ?? {}, old.metadata.labels ?? {})) enqueueMatching(pod);
  };

  return { onAdd, onUpdate, onDelete: (pod) => onDeleted(pod, true) };
}
