import { expect, test } from 'vitest';
import table from '../../../../test/facts/tables/time-cron-misc.json' with { type: 'json' };
import { CronError, parseCron } from './cron-schedule.ts';

interface Row {
  readonly in: string;
  readonly ok: boolean;
  readonly out?: readonly string[];
  readonly err?: string;
}

const rows = table['cron (next 5 after 2024-02-28T22:47:13Z)'] as readonly Row[];

test.each(rows.filter((row) => !row.ok))('$in is refused in the words of the real parser', (row) => {
  expect(() => parseCron(row.in)).toThrow(new CronError(row.err ?? ''));
});

test.each(rows.filter((row) => row.ok && !/@every|TZ=/.test(row.in)))('$in means the times that the real parser names', (row) => {
  const [minutes, hours, days, monthsOf, weekdays] = parseCron(row.in).fields ?? [];
  for (const text of row.out ?? []) {
    const time = new Date(text);
    expect(minutes?.values.has(time.getUTCMinutes())).toBe(true);
    expect(hours?.values.has(time.getUTCHours())).toBe(true);
    expect(monthsOf?.values.has(time.getUTCMonth() + 1)).toBe(true);
    // When both days are restricted, either one matches.
    const [onDay, onWeekday] = [days?.values.has(time.getUTCDate()), weekdays?.values.has(time.getUTCDay())];
    expect(days?.any || weekdays?.any ? onDay && onWeekday : onDay || onWeekday).toBe(true);
  }
});

test('a schedule may contain a valid time zone', () => {
  expect(parseCron('TZ=UTC 0 0 * * *')).toMatchObject({ fields: { length: 5 }, timeZone: 'UTC' });
  expect(() => parseCron('TZ=+05:30 0 0 * * *')).toThrow('unknown time zone +05:30');
  expect(() => parseCron('CRON_TZ=Mars/Base 0 0 * * *')).toThrow('provided bad location Mars/Base: unknown time zone Mars/Base');
});
