import { expect, test } from 'vitest';
import { isKnownFormat, matchesFormat } from './formats.ts';

test.each([
  ['ipv4', '10.0.0.1', '10.0.0.256'],
  ['ipv6', '::1', '10.0.0.1'],
  ['cidr', '10.0.0.0/8', '10.0.0.0'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['uuid4', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ['date', '2024-02-29', '2024-02-30'],
  ['date-time', '2024-02-29T10:00:00Z', '2024-02-29'],
  ['duration', '1h30m', 'long'],
  ['byte', 'YWJj', 'a'],
  ['hexcolor', '#a0b1c2', '#a0b1c'],
  ['hostname', 'a.example.com', '-a'],
  ['isbn', '978-0321751041', '978'],
  ['creditcard', '4111111111111111', '4111'],
  ['mac', '01:23:45:67:89:ab', '01:23'],
])('validates the format %s', (format, right, wrong) => {
  expect([matchesFormat(format, right), matchesFormat(format, wrong)]).toEqual([true, false]);
});

test('ignores unknown formats', () => {
  expect(isKnownFormat('colour')).toBe(false);
  expect(matchesFormat('colour', 'anything')).toBe(true);
});
