import { expect, test } from 'vitest';
import table from '../../../test/facts/tables/time-cron-misc.json' with { type: 'json' };
import { formatTime } from '../../meta/index.ts';
import { parseCron } from '../../schema/index.ts';
import { createCronTimes } from './cron-times.ts';
import { TimeZone } from './time-zone.ts';

interface Row {
  readonly in: string;
  readonly ok: boolean;
  readonly out?: readonly string[];
}

const rows = table['cron (next 5 after 2024-02-28T22:47:13Z)'] as readonly Row[];

test.each(rows.filter(({ ok }) => ok))('$in has the times of the real parser', ({ in: text, out = [] }) => {
  expect(following(text, '2024-02-28T22:47:13Z', out.length)).toEqual(out.map((time) => formatTime(Date.parse(time))));
});

test.each([
  ['TZ=Europe/Berlin 30 2 * * *', '2026-03-28T00:00:00Z', ['2026-03-28T01:30:00Z', '2026-03-30T00:30:00Z']],
  ['TZ=Europe/Berlin 30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z']],
  ['TZ=Asia/Kolkata 0 0 1 1 *', '2026-01-01T00:00:00Z', ['2026-12-31T18:30:00Z']],
  ['TZ=America/Sao_Paulo 0 0 * * *', '2018-11-03T12:00:00Z', ['2018-11-05T02:00:00Z']],
  ['CRON_TZ=America/New_York @hourly', '2026-03-08T06:30:00Z', ['2026-03-08T07:00:00Z', '2026-03-08T08:00:00Z']],
] as const)('%s follows the local time after %s', (text, after, expected) => {
  expect(following(text, after, expected.length)).toEqual(expected);
});

test.each(['0 0 31 2 *', '0 0 31 4,6 *'])('%s has no time within five years', (text) => {
  expect(createCronTimes(parseCron(text)).next(Date.UTC(2026, 0, 1))).toBeUndefined();
});

test('an interval starts at the given time', () => {
  expect(following('@every 1h30m', '2026-01-01T00:00:07Z', 2)).toEqual(['2026-01-01T01:30:07Z', '2026-01-01T03:00:07Z']);
  expect(following('@every 10ms', '2026-01-01T00:00:07Z', 1)).toEqual(['2026-01-01T00:00:08Z']);
});

test.each([
  ['UTC', '2026-07-01T12:00:00Z'],
  ['Asia/Kolkata', '2026-07-01T17:30:00+05:30'],
  ['America/St_Johns', '2026-07-01T09:30:00-02:30'],
])('formats a time in %s', (zone, expected) => {
  expect(new TimeZone(zone).format(Date.UTC(2026, 6, 1, 12))).toBe(expected);
});

function following(text: string, after: string, count: number): readonly string[] {
  const times = createCronTimes(parseCron(text));
  let atMs = Date.parse(after);
  return Array.from({ length: count }, () => {
    atMs = times.next(atMs) ?? Number.NaN;
    return formatTime(atMs);
  });
}
