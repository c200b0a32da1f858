import { expect, test } from 'vitest';
import { CidrSet } from './cidr-set.ts';
import { parseClusterCidrs } from './cluster-cidrs.ts';

const parse = (cidrs: readonly string[], nodeMaskSize = 0): readonly string[] =>
  parseClusterCidrs({ cidrs, nodeMaskSize }).map(({ base, nodeMaskSize: size }) => new CidrSet(base, size).allocate() ?? 'none');

test('a node has 24 bits of IPv4 and 64 of IPv6 by default', () => {
  expect(parse(['10.244.0.0/16'])).toEqual(['10.244.0.0/24']);
  expect(parse(['fd00:10:244::/56'])).toEqual(['fd00:10:244::/64']);
  expect(parse(['10.244.7.9/16', 'fd00:10:244::/56'])).toEqual(['10.244.0.0/24', 'fd00:10:244::/64']);
  expect(parse(['10.244.0.0/16'], 28)).toEqual(['10.244.0.0/28']);
});

const invalidMask =
  'Controller: Invalid clusterCIDR, mask size of clusterCIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family';

test.each([
  [['10.244.0.0'], 0, 'invalid CIDR[0]: <nil> (invalid CIDR address: 10.244.0.0)'],
  [['10.244.0.0/16', 'x'], 0, 'invalid CIDR[1]: <nil> (invalid CIDR address: x)'],
  [['10.0.0.0/16', '10.1.0.0/16'], 0, 'len of ClusterCIDRs==2 and they are not configured as dual stack (at least one from each IPFamily'],
  [['10.0.0.0/16', '10.1.0.0/16', 'fd00::/56'], 0, 'length of clusterCIDRs is:3 more than max allowed of 2'],
  [['10.0.0.0/16', 'fd00::/56'], 24, 'usage of --node-cidr-mask-size is not allowed with dual-stack clusters'],
  [['10.0.0.0/25'], 0, invalidMask],
  [['10.0.0.0/16'], 33, invalidMask],
  [['10.0.0.0/16'], -1, invalidMask],
  [['10.0.0.0/8'], 25, 'New CIDR set failed; the node CIDR size is too big'],
  [['fd00::/32'], 0, 'New CIDR set failed; the node CIDR size is too big'],
] as const)('%j with the mask size %i: %s', (cidrs, nodeMaskSize, message) => {
  expect(() => parseClusterCidrs({ cidrs, nodeMaskSize })).toThrow(message);
});
