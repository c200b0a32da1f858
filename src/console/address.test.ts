import { expect, test } from 'vitest';
import { addressInCluster, explicitAddress, parseAddress } from './address.ts';

test.each([
  ['#/console', '#/console', undefined, undefined],
  ['#/o/core/v1/pods?tab=yaml&cluster=c-1', '#/o/core/v1/pods?tab=yaml', 'c-1', undefined],
  ['#/o?cluster=main', '#/o', '', undefined],
  ['#/console?names=kubernetes&line=a%26b', '#/console?line=a%26b', undefined, 'kubernetes'],
  ['#/console?names=other', '#/console', undefined, undefined],
  ['#/learn/basics/one/2?names=svc', '#/learn/basics/one/2?names=svc', undefined, 'svc'],
])('parses the cluster of the address %s', (address, hash, cluster, names) => {
  expect(parseAddress(address)).toEqual({ hash, cluster, names });
});

test('names the cluster in an address and replaces the previous one', () => {
  expect(addressInCluster('#/console?line=k&cluster=c-1', 'c-2')).toBe('#/console?line=k&cluster=c-2');
  expect(addressInCluster('#/console?cluster=c-1', '')).toBe('#/console');
  expect(explicitAddress('#/o', '')).toBe('#/o?cluster=main');
});
