import { expect, test } from 'vitest';
import table from '../../../test/facts/tables/time-cron-misc.json' with { type: 'json' };
import { DurationError, formatDuration, parseDuration } from './duration.ts';
import { PercentError, resolveIntOrPercent } from './int-or-string.ts';
import { formatMicroTime, formatTime, normalizeTime, parseInstant, TimeError } from './time.ts';

interface Row {
  readonly in: string;
  readonly ok: boolean;
  readonly out?: string | null;
  readonly err?: string;
}

// `null` results from decoding null, not from a text.
const rowsOf = (rows: readonly unknown[]): readonly Row[] => (rows as readonly Row[]).filter((row) => row.in !== 'null');

test.each(rowsOf(table['metav1.Time']))('Time $in', (row) => {
  if (row.ok && row.out !== null) expect(normalizeTime(row.in, 'Time')).toBe(row.out);
  else if (!row.ok) expect(() => normalizeTime(row.in, 'Time')).toThrow(new TimeError(row.err ?? ''));
});

test.each(rowsOf(table['metav1.MicroTime']))('MicroTime $in', (row) => {
  if (row.ok && row.out !== null) expect(normalizeTime(row.in, 'MicroTime')).toBe(row.out);
  else if (!row.ok) expect(() => normalizeTime(row.in, 'MicroTime')).toThrow(new TimeError(row.err ?? ''));
});

test('quotes non-ASCII characters byte by byte', () => {
  expect(() => parseInstant('é"', 'Time')).toThrow(
    String.raw`parsing time "\xc3\xa9\"" as "2006-01-02T15:04:05Z07:00": cannot parse "\xc3\xa9\"" as "2006"`,
  );
});

test('formats times with whole seconds or with six decimals', () => {
  const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  expect([formatTime(ms), formatMicroTime(ms)]).toEqual(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678000Z']);
});

test.each(['Time', 'MicroTime'] as const)('reads a %s in its canonical form as it reads others', (layout) => {
  const fraction = layout === 'Time' ? '' : '.123456';
  for (const year of ['0000', '0001', '0099', '1900', '1969', '2024', '2025', '9999'])
    for (let month = 1; month <= 12; month++)
      for (let day = 0; day <= 32; day++) {
        const local = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T23:59:58${fraction}`;
        const read = (text: string): unknown => {
          try {
            return [parseInstant(text, layout), normalizeTime(text, layout).length];
          } catch (error) {
            return error instanceof TimeError;
          }
        };
        expect([local, read(`${local}Z`)]).toEqual([local, read(`${local}+00:00`)]);
      }
});

interface DurationRow {
  readonly in: string;
  readonly ok: boolean;
  readonly out?: { readonly ns: string; readonly string: string };
  readonly err?: string;
}

test.each(table['metav1.Duration'] as readonly DurationRow[])('the duration $in', (row) => {
  if (!row.ok || !row.out) {
    expect(() => parseDuration(row.in)).toThrow(new DurationError(row.err ?? ''));
    return;
  }
  const nanos = parseDuration(row.in);
  expect({ ns: nanos.toString(), string: formatDuration(nanos) }).toEqual(row.out);
});

interface ScaledRow {
  readonly value: number | string;
  readonly total: number;
  readonly roundUp: boolean;
  readonly out?: number;
  readonly err?: string;
}

test.each(table.GetScaledValueFromIntOrPercent as readonly ScaledRow[])('$value of $total', ({ value, total, roundUp, out, err }) => {
  if (err === undefined) expect(resolveIntOrPercent(value, total, roundUp)).toBe(out);
  else expect(() => resolveIntOrPercent(value, total, roundUp)).toThrow(new PercentError(err));
});
