import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { networkingv1 } from '../../schema/api/index.ts';
import { isReleasable } from './service-cidr-protection.ts';

const product = productByName('kubernetes');
const range = (name: string, ...cidrs: readonly string[]): Pick<networkingv1.ServiceCIDR, 'metadata' | 'spec'> => ({
  metadata: { name },
  spec: { cidrs },
});
const address = (name: string, by = 'ipallocator.k8s.io'): Pick<networkingv1.IPAddress, 'metadata'> => ({
  metadata: { name, labels: { 'ipaddress.kubernetes.io/managed-by': by } },
});
const small = range('small', '192.168.3.0/28');

test.each([
  ['an address in it', [small], [address('192.168.3.5')], false],
  ['no address at all', [small], [], true],
  ['addresses of other ranges', [small], [address('192.168.3.16'), address('fd00::5')], true],
  ['an address that somebody else has made', [small], [address('192.168.3.5', 'me')], true],
  ['its first and last address, which it does not give', [small], [address('192.168.3.0'), address('192.168.3.15')], true],
  ['an address that another range has too', [small, range('part', '192.168.3.4/30')], [address('192.168.3.5')], true],
  ['an address beside what another range has', [small, range('part', '192.168.3.4/30')], [address('192.168.3.9')], false],
  ['another range around it', [small, range('large', '192.168.0.0/16')], [address('192.168.3.5')], true],
])('decides whether a range with %s is releasable', (_, all, addresses, free) => {
  expect(isReleasable(small, all, addresses, product)).toBe(free);
});

test('checks the addresses of both families of a range', () => {
  const dual = range('dual', '192.168.3.0/28', 'fd00::/120');
  const others = [dual, range('large', '192.168.0.0/16')];
  expect(isReleasable(dual, others, [address('192.168.3.5')], product)).toBe(true);
  expect(isReleasable(dual, others, [address('fd00::ff')], product)).toBe(false);
});
