import { expect, test } from 'vitest';
import { formatTime } from '../../meta/index.ts';
import { parseCron } from '../../schema/index.ts';
import { createCronTimes } from './cron-times.ts';
import { type CronJobTimes, dueTime, requeueAfterMs, ScheduleError } from './schedule-time.ts';

interface Given {
  readonly schedule: string;
  readonly created: string;
  readonly last?: string;
  readonly deadline?: number;
  readonly now: string;
}

const cronJob = ({ schedule, created, last, deadline }: Given): CronJobTimes => ({
  metadata: { creationTimestamp: `2026-01-01T${created}Z` },
  spec: {
    schedule,
    jobTemplate: { metadata: {}, spec: { template: {} } },
    ...(deadline === undefined ? {} : { startingDeadlineSeconds: deadline }),
  } as CronJobTimes['spec'],
  status: last === undefined ? {} : { lastScheduleTime: `2026-01-01T${last}Z` },
});

test.each<Given & { due: string | undefined; many?: boolean; requeueMs: number }>([
  { schedule: '* * * * *', created: '00:00:30', now: '00:00:40', due: undefined, requeueMs: 20_100 },
  { schedule: '* * * * *', created: '00:00:30', now: '00:01:00', due: '00:01:00', requeueMs: 60_100 },
  { schedule: '* * * * *', created: '00:00:30', last: '00:01:00', now: '00:01:01', due: undefined, requeueMs: 59_100 },
  { schedule: '* * * * *', created: '00:00:30', last: '00:01:00', now: '00:05:10', due: '00:05:00', requeueMs: 50_100 },
  { schedule: '* * * * *', created: '00:00:30', now: '01:50:10', due: '01:50:00', many: true, requeueMs: 50_100 },
  { schedule: '* * * * *', created: '00:00:30', deadline: 120, now: '01:50:10', due: '01:50:00', requeueMs: 50_100 },
  { schedule: '0 * * * *', created: '00:00:30', deadline: 60, now: '05:30:00', due: undefined, requeueMs: 1_800_100 },
  { schedule: '@every 10m', created: '00:00:30', now: '00:34:00', due: '00:30:30', requeueMs: 390_100 },
])('$schedule created at $created, last at $last, with deadline $deadline at $now', ({ due, many = false, requeueMs, ...given }) => {
  const [object, times] = [cronJob(given), createCronTimes(parseCron(given.schedule))];
  const nowMs = Date.parse(`2026-01-01T${given.now}Z`);
  const found = dueTime(object, nowMs, times);
  expect(found && formatTime(found.scheduledMs)).toBe(due && `2026-01-01T${due}Z`);
  expect(found?.isManyMissed ?? false).toBe(many);
  expect(requeueAfterMs(object, nowMs, times)).toBe(requeueMs);
});

test('a schedule without times is invalid', () => {
  const object = cronJob({ schedule: '59 23 31 2 *', created: '00:00:00', now: '' });
  expect(() => dueTime(object, Date.UTC(2026, 0, 1), createCronTimes(parseCron('59 23 31 2 *')))).toThrow(ScheduleError);
});
