import { expect, test } from 'vitest';
import { isPodRange, PodAddresses } from './pod-addresses.ts';

test('allocates addresses one after the other, and those of deleted pods again', () => {
  const addresses = new PodAddresses('10.1.2.0/29');
  addresses.reserve('z', '10.1.2.4');
  expect(['a', 'b', 'a', 'c'].map((uid) => addresses.allocate(uid))).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.2', '10.1.2.5']);
  addresses.release('a');
  expect(['d', 'e'].map((uid) => addresses.allocate(uid))).toEqual(['10.1.2.6', '10.1.2.2']);
});

test.each([
  ['10.244.0.0/24', true],
  ['10.244.0.0/30', false],
  ['fd00::/64', false],
  ['10.244.0.0', false],
  ['', false],
])('range of pods: %s', (cidr, expected) => {
  expect(isPodRange(cidr)).toBe(expected);
});
