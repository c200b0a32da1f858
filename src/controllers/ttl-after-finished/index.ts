/** Deletes jobs some time after they ended. */

import { cacheKeyOf, splitCacheKey } from '../../client/index.ts';
import { type batchv1, batchv1Jobs } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { finishedCondition } from '../job/index.ts';
import { startWorkers } from '../start-workers.ts';

/** Cf. pkg/controller/ttlafterfinished. */
export const ttlAfterFinished: Controller = (context) => {
  const { client, clock, informers } = context;
  const writer = client.resource(batchv1Jobs);
  const jobs = informers.informer(batchv1Jobs);
  const isExpired = (job: batchv1.Job | undefined, key: string): job is batchv1.Job => {
    const remainingMs = job && remainingTtlMs(job, clock.nowMs());
    if (remainingMs !== undefined && remainingMs > 0) queue.addAfter(key, remainingMs);
    return remainingMs !== undefined && remainingMs <= 0;
  };
  const reconcile = async (key: string): Promise<void> => {
    if (!isExpired(jobs.store.get(key), key)) return;
    // The cache may not show a longer time yet.
    const job = await writer.getIfExists(splitCacheKey(key));
    if (!isExpired(job, key)) return;
    const { uid = '' } = job.metadata;
    await writer.delete(splitCacheKey(key), { propagationPolicy: 'Foreground', preconditions: { uid } });
  };
  const queue = startWorkers({ name: 'ttl-after-finished-controller', informers: [jobs], reconcile }, context);
  const enqueue = (job: batchv1.Job): void => {
    if (remainingTtlMs(job, clock.nowMs()) !== undefined) queue.add(cacheKeyOf(job));
  };
  jobs.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};

/** Milliseconds until a job is deleted, 0 or less when it has to be deleted now; undefined when it is not deleted by its age. */
function remainingTtlMs({ metadata, spec, status }: Pick<batchv1.Job, 'metadata' | 'spec' | 'status'>, nowMs: number): number | undefined {
  const finishedAt = finishedCondition({ status })?.lastTransitionTime;
  if (metadata.deletionTimestamp !== undefined || spec.ttlSecondsAfterFinished === undefined || !finishedAt) return undefined;
  return Date.parse(finishedAt) + spec.ttlSecondsAfterFinished * 1000 - nowMs;
}
