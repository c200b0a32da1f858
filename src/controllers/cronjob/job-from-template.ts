import type { PartialObject } from '../../client/index.ts';
import type { Product } from '../../meta/index.ts';
import type { batchv1 } from '../../schema/api/index.ts';
import { newControllerReference } from '../pods/index.ts';
import { TimeZone } from './time-zone.ts';

/** The name of the job of a scheduled time: created again, it is the same. Cf. getJobName. */
export function jobName(cronJob: batchv1.CronJob, scheduledMs: number): string {
  return `${cronJob.metadata.name}-${Math.floor(scheduledMs / 60_000)}`;
}

/** Cf. getJobFromTemplate2. */
export function jobFromTemplate(
  cronJob: batchv1.CronJob,
  scheduledMs: number,
  name: string,
  product: Pick<Product, 'rename'>,
): PartialObject<batchv1.Job> {
  const { metadata, spec } = cronJob;
  const { labels, annotations } = spec.jobTemplate.metadata ?? {};
  const scheduledTime = new TimeZone(spec.timeZone ?? '').format(scheduledMs);
  return {
    metadata: {
      name,
      namespace: metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, [product.rename('batch.kubernetes.io/cronjob-scheduled-timestamp')]: scheduledTime },
      ownerReferences: [newControllerReference(cronJob)],
    },
    spec: spec.jobTemplate.spec,
  };
}
