import { expect, test } from 'vitest';
import table from '../../../test/facts/tables/time-cron-misc.json' with { type: 'json' };
import { formatHumanDuration, formatShortHumanDuration } from '../index.ts';

const s = 1000;
const m = 60 * s;
const h = 60 * m;
const d = 24 * h;
const y = 365 * d;

const ages: readonly (readonly [ms: number, text: string])[] = [
  [-3 * s, '<invalid>'],
  [-1.9 * s, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [999, '0s'],
  [119 * s, '119s'],
  [2 * m, '2m'],
  [2 * m + s, '2m1s'],
  [10 * m - 1, '9m59s'],
  [10 * m + 59 * s, '10m'],
  [3 * h - 1, '179m'],
  [3 * h, '3h'],
  [3 * h + 5 * m, '3h5m'],
  [8 * h - 1, '7h59m'],
  [8 * h + 59 * m, '8h'],
  [2 * d - 1, '47h'],
  [2 * d, '2d'],
  [2 * d + 2 * h, '2d2h'],
  [8 * d - 1, '7d23h'],
  [8 * d + 23 * h, '8d'],
  [2 * y - 1, '729d'],
  [2 * y, '2y'],
  [2 * y + 325 * d, '2y325d'],
  [8 * y - 1, '7y364d'],
  [8 * y + 300 * d, '8y'],
  [100 * y, '100y'],
];

test.each(ages)('formats %d ms as %s', (ms, text) => {
  expect(formatHumanDuration(ms)).toBe(text);
});

const short: readonly (readonly [ms: number, text: string])[] = [
  [-2 * s, '<invalid>'],
  [-1 * s, '0s'],
  [59 * s, '59s'],
  [90 * s, '1m'],
  [h - 1, '59m'],
  [d - 1, '23h'],
  [y - 1, '364d'],
  [2 * y, '2y'],
];

test.each(short)('formats %d ms in short form as %s', (ms, text) => {
  expect(formatShortHumanDuration(ms)).toBe(text);
});

test.each(table['HumanDuration(seconds)'])('formats $in seconds like the real library', ({ in: seconds, out }) => {
  const ms = Number(seconds) * 1000;
  expect({ human: formatHumanDuration(ms), short: formatShortHumanDuration(ms) }).toEqual(out);
});
