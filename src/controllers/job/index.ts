/** Runs pods to completion. */

import { cacheKeyOf, ExponentialFailureRateLimiter } from '../../client/index.ts';
import { type batchv1, batchv1Jobs, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ControlledObjects, ControllerLookup } from '../pods/index.ts';
import { startWorkers } from '../start-workers.ts';
import { finishedCondition } from './conditions.ts';
import { JobEnvironment } from './job-environment.ts';
import { batchPeriodMs } from './manage-pods.ts';
import { jobNames } from './names.ts';
import { startOrphanWorkers } from './orphan-pods.ts';
import { podHandlers } from './pod-handlers.ts';
import { syncJob } from './sync-job.ts';

export { finishedCondition } from './conditions.ts';

const name = 'job-controller';

/** Cf. pkg/controller/job. */
export const jobs: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const jobInformer = informers.informer(batchv1Jobs);
  const pods = informers.informer(corev1Pods);
  const lookup = new ControllerLookup({ kind: 'Job', controllers: jobInformer, selectorOf: ({ spec }) => spec.selector });
  const podsOf = new ControlledObjects(pods);
  const environment = new JobEnvironment({
    client,
    clock,
    names: jobNames(product),
    recorder: createEventRecorder(context, name),
    enqueueAfter: (key, ms) => queue.addAfter(key, ms),
  });
  const reconcile = async (key: string): Promise<void> => {
    const job = jobInformer.store.get(key);
    if (job) return syncJob(key, job, podsOf, environment);
    environment.expectations.delete(key);
    environment.finalizerExpectations.delete(key);
    environment.forget(key);
  };
  const rateLimiter = new ExponentialFailureRateLimiter<string>(1_000, 60_000);
  const queue = startWorkers({ name, informers: [jobInformer, pods], reconcile, rateLimiter }, context);
  const orphans = startOrphanWorkers({ pods, jobs: jobInformer, lookup, environment }, context);

  jobInformer.addHandler({
    onAdd: (job) => queue.add(cacheKeyOf(job)),
    onUpdate: (job, old) => {
      const key = cacheKeyOf(job);
      // The finalizers are removed before a job ends; this is for pods that appeared since.
      if (finishedCondition(job)) return orphans.addPodsOf(job);
      queue.addAfter(key, job.metadata.generation === old.metadata.generation ? batchPeriodMs : 0);
      const { activeDeadlineSeconds } = job.spec;
      if (job.status.startTime === undefined || activeDeadlineSeconds === undefined) return;
      if (activeDeadlineSeconds === old.spec.activeDeadlineSeconds) return;
      queue.addAfter(key, Date.parse(job.status.startTime) + activeDeadlineSeconds * 1000 - clock.nowMs());
    },
    onDelete: (job) => {
      queue.add(cacheKeyOf(job));
      environment.finishedUids.delete(job.metadata.uid ?? '');
      orphans.addPodsOf(job);
      environment.forget(cacheKeyOf(job));
    },
  });
  const enqueue = (job: batchv1.Job): void => queue.addAfter(cacheKeyOf(job), batchPeriodMs);
  pods.addHandler(podHandlers({ lookup, environment, enqueue, enqueueOrphan: orphans.add }));
};
