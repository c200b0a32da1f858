import type { batchv1 } from '../../schema/api/index.ts';
import type { CronTimes } from './cron-times.ts';

/** Missed schedules from which the controller warns. */
const maxMissed = 100;
/** Delay after the scheduled time, for differences between clocks (upstream nextScheduleDelta). */
const requeueDelayMs = 100;

export type CronJobTimes = Pick<batchv1.CronJob, 'metadata' | 'spec' | 'status'>;

/** The schedule is valid but has no times. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

interface RecentTime {
  /** From which time on schedules are considered. */
  readonly earliestMs: number;
  /** The latest scheduled time that is not after now. */
  readonly recentMs: number | undefined;
  readonly missed: 'none' | 'few' | 'many';
}

export interface DueTime {
  readonly scheduledMs: number;
  readonly isManyMissed: boolean;
}

/** The scheduled time for which a job should exist; undefined when none is due. Cf. nextScheduleTime. @throws ScheduleError */
export function dueTime(cronJob: CronJobTimes, nowMs: number, times: CronTimes): DueTime | undefined {
  const { recentMs, missed } = recentScheduleTime(cronJob, nowMs, times, startingDeadlineOf(cronJob));
  return recentMs === undefined || recentMs > nowMs ? undefined : { scheduledMs: recentMs, isManyMissed: missed === 'many' };
}

/** Milliseconds until the CronJob has to be reconciled for its next scheduled time. Cf. nextScheduleTimeDuration. */
export function requeueAfterMs(cronJob: CronJobTimes, nowMs: number, times: CronTimes): number {
  const nextMs = times.next(lastConsideredTime(cronJob, nowMs, times));
  // Go subtracts from its zero time, and the queue adds the object at once.
  return nextMs === undefined ? 0 : nextMs + requeueDelayMs - nowMs;
}

function lastConsideredTime(cronJob: CronJobTimes, nowMs: number, times: CronTimes): number {
  try {
    const { earliestMs, recentMs, missed } = recentScheduleTime(cronJob, nowMs, times, undefined);
    return recentMs ?? (missed === 'none' ? earliestMs : nowMs);
  } catch (error) {
    if (error instanceof ScheduleError) return nowMs;
    throw error;
  }
}

function startingDeadlineOf({ spec }: CronJobTimes): number | undefined {
  return spec.startingDeadlineSeconds === undefined ? undefined : spec.startingDeadlineSeconds * 1000;
}

/** Cf. mostRecentScheduleTime. */
function recentScheduleTime({ metadata, status }: CronJobTimes, nowMs: number, times: CronTimes, deadlineMs?: number): RecentTime {
  const sinceMs = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const earliestMs = deadlineMs === undefined ? sinceMs : Math.max(sinceMs, nowMs - deadlineMs);
  // Go's zero time is before any other.
  const firstMs = times.next(earliestMs) ?? Number.NEGATIVE_INFINITY;
  const secondMs = firstMs === Number.NEGATIVE_INFINITY ? firstMs : (times.next(firstMs) ?? firstMs);
  if (nowMs < firstMs) return { earliestMs, recentMs: undefined, missed: 'none' };
  if (nowMs < secondMs) return { earliestMs, recentMs: firstMs, missed: 'none' };
  const intervalMs = secondMs - firstMs;
  if (!(intervalMs >= 1000)) throw new ScheduleError('time difference between two schedules is less than 1 second');
  const missedCount = Math.floor((nowMs - firstMs) / intervalMs) + 1;
  let recentMs: number | undefined;
  // One interval earlier: intervals may differ, as in `30 6-16/4 * * 1-5`.
  let atMs = times.next(firstMs + (missedCount - 2) * intervalMs);
  while (atMs !== undefined && atMs <= nowMs) {
    recentMs = atMs;
    atMs = times.next(atMs);
  }
  return { earliestMs, recentMs, missed: missedCount > maxMissed ? 'many' : 'few' };
}
