import { compareTexts } from '../../meta/index.ts';
import type { batchv1 } from '../../schema/api/index.ts';
import { finishedCondition } from '../job/index.ts';

/** The finished jobs beyond the limits of the history, oldest first. Cf. cleanupFinishedJobs. */
export function jobsBeyondHistory({ spec }: Pick<batchv1.CronJob, 'spec'>, jobs: readonly batchv1.Job[]): readonly batchv1.Job[] {
  const oldest = (type: string, limit: number | undefined): readonly batchv1.Job[] => {
    if (limit === undefined) return [];
    const finished = jobs.filter((job) => finishedCondition(job)?.type === type).sort(compareStartTimes);
    return finished.slice(0, Math.max(0, finished.length - limit));
  };
  return [...oldest('Complete', spec.successfulJobsHistoryLimit), ...oldest('Failed', spec.failedJobsHistoryLimit)];
}

/** Jobs that did not start come last. Cf. byJobStartTime. */
function compareStartTimes(one: batchv1.Job, other: batchv1.Job): number {
  const [start, otherStart] = [one.status.startTime, other.status.startTime];
  if (start === otherStart) return compareTexts(one.metadata.name ?? '', other.metadata.name ?? '');
  if (start === undefined) return 1;
  return otherStart === undefined ? -1 : compareTexts(start, otherStart);
}
