/** Creates jobs on a schedule. */

import { cacheKeyOf } from '../../client/index.ts';
import { type batchv1, batchv1CronJobs, batchv1Jobs, type metav1 } from '../../schema/api/index.ts';
import { CronError, parseCron } from '../../schema/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { LastWritten } from '../last-written.ts';
import { controllerOf } from '../pods/index.ts';
import { startWorkers } from '../start-workers.ts';
import { createCronTimes } from './cron-times.ts';
import { requeueAfterMs } from './schedule-time.ts';
import { CronJobSync, effectiveSchedule } from './sync-cron-job.ts';

const name = 'cronjob-controller';

/** Cf. pkg/controller/cronjob. */
export const cronJobs: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const recorder = createEventRecorder(context, name);
  const cronJobInformer = informers.informer(batchv1CronJobs);
  const jobs = informers.informer(batchv1Jobs);
  jobs.store.addIndex(byCronJob, (job) => {
    const owner = controllerOf(job);
    return owner ? [`${job.metadata.namespace}/${owner.name}`] : [];
  });

  const written = new LastWritten<batchv1.CronJob>();
  const reconcile = async (key: string): Promise<void> => {
    const cached = cronJobInformer.store.get(key);
    if (!cached) {
      written.delete(key);
      return;
    }
    // By an older status, jobs that were deleted since then would be missing ones.
    const sync = new CronJobSync(written.newest(cached), jobs.store.byIndex(byCronJob, key), {
      client,
      nowMs: clock.nowMs(),
      product,
      recorder,
    });
    const requeueMs = await sync.run((status) => written.set(status));
    if (requeueMs !== undefined) queue.addAfter(key, requeueMs);
  };
  const queue = startWorkers({ name, informers: [cronJobInformer, jobs], reconcile }, context);

  const enqueue = (cronJob: batchv1.CronJob): void => queue.add(cacheKeyOf(cronJob));
  const onScheduleChange = (cronJob: batchv1.CronJob): void => {
    try {
      const times = createCronTimes(parseCron(effectiveSchedule(cronJob)));
      queue.addAfter(cacheKeyOf(cronJob), requeueAfterMs(cronJob, clock.nowMs(), times));
    } catch (error) {
      if (!(error instanceof CronError)) throw error;
      recorder.event(cronJob, 'Warning', 'UnParseableCronJobSchedule', `unparseable schedule for cronjob: ${cronJob.spec.schedule}`);
    }
  };
  cronJobInformer.addHandler({
    onAdd: enqueue,
    onUpdate: (cronJob, old) => {
      const isSameSchedule = old.spec.schedule === cronJob.spec.schedule && old.spec.timeZone === cronJob.spec.timeZone;
      if (isSameSchedule) enqueue(cronJob);
      else onScheduleChange(cronJob);
    },
    onDelete: enqueue,
  });

  const enqueueOwner = ({ metadata }: batchv1.Job, owner: metav1.OwnerReference | undefined): void => {
    const key = `${metadata.namespace}/${owner?.name}`;
    if (owner?.kind === 'CronJob' && cronJobInformer.store.get(key)?.metadata.uid === owner.uid) queue.add(key);
  };
  jobs.addHandler({
    onAdd: (job) => enqueueOwner(job, controllerOf(job)),
    onUpdate: (job, old) => {
      const [owner, oldOwner] = [controllerOf(job), controllerOf(old)];
      if (oldOwner && oldOwner.uid !== owner?.uid) enqueueOwner(old, oldOwner);
      enqueueOwner(job, owner);
    },
    onDelete: (job) => enqueueOwner(job, controllerOf(job)),
  });
};

const byCronJob = 'cronJob';
