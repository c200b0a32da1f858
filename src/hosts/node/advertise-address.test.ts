import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { serviceRanges } from '../../cluster/index.ts';
import { resolveAdvertiseAddress } from './advertise-address.ts';

const info = (address: string, family: 'IPv4' | 'IPv6', internal = false): NetworkInterfaceInfo =>
  ({ address, family, internal }) as NetworkInterfaceInfo;

const interfaces = {
  lo: [info('127.0.0.1', 'IPv4', true), info('::1', 'IPv6', true)],
  eth0: [info('fe80::1', 'IPv6'), info('192.0.2.7', 'IPv4'), info('2001:db8::7', 'IPv6')],
};

test.each([
  ['the given address', { advertiseAddress: '198.51.100.1' }, '198.51.100.1'],
  ['the bind address', { bindAddress: '192.0.2.9' }, '192.0.2.9'],
  ["the host's address for a loopback address", {}, '192.0.2.7'],
  ["the host's address for an unspecified one", { bindAddress: '0.0.0.0', advertiseAddress: '0.0.0.0' }, '192.0.2.7'],
  ['an address of the family of the Service', { bindAddress: '192.0.2.9', serviceRanges: serviceRanges(['fd00::/112']) }, '2001:db8::7'],
])('advertises %s', (_, flags, ip) => {
  const defaults = { advertiseAddress: undefined, bindAddress: '127.0.0.1', serviceRanges: serviceRanges() };
  expect(resolveAdvertiseAddress({ ...defaults, ...flags }, () => interfaces)).toBe(ip);
});

test('advertises an address of the simulated network on a machine without one', () => {
  const flags = { advertiseAddress: undefined, bindAddress: '127.0.0.1', serviceRanges: serviceRanges() };
  expect(resolveAdvertiseAddress(flags, () => ({ lo: interfaces.lo }))).toBe('172.18.0.1');
});
