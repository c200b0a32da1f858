import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, StatusError } from '../../meta/index.ts';
import { context } from './context.test-support.ts';
import { ServiceAllocator } from './service-allocator.ts';
import { addressRange, serviceRanges } from './service-ranges.ts';

const ranges = serviceRanges(['10.0.0.0/24', 'fd00:1::/112'], { first: 30_000, last: 30_001 });
const service = (spec: JsonObject): ApiObject => ({ kind: 'Service', apiVersion: 'v1', metadata: { name: 'web', namespace: 'd' }, spec });
const plain = { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 80 }] };

function allocateSpec(spec: JsonObject, old?: JsonObject, allocator = new ServiceAllocator(ranges)): JsonObject {
  const { object } = allocator.allocate(service(spec), old && service(old), context);
  return object['spec'] as JsonObject;
}

function refused(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return 'nothing was refused';
}

test.each<[JsonObject, JsonObject]>([
  [{}, { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'], clusterIPs: ['10.0.0.17'] }],
  [{ ipFamilies: ['IPv6'] }, { ipFamilyPolicy: 'SingleStack', clusterIP: 'fd00:1::101', clusterIPs: ['fd00:1::101'] }],
  [{ ipFamilyPolicy: 'PreferDualStack' }, { ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.0.0.17', 'fd00:1::101'] }],
  [
    { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] },
    { ipFamilies: ['IPv6', 'IPv4'], clusterIPs: ['fd00:1::101', '10.0.0.17'] },
  ],
  [
    { clusterIP: 'fd00:1::5', ipFamilyPolicy: 'PreferDualStack' },
    { ipFamilies: ['IPv6', 'IPv4'], clusterIPs: ['fd00:1::5', '10.0.0.17'] },
  ],
])('allocates addresses of a cluster with two ranges for a Service with %j', (requested, allocated) => {
  expect(allocateSpec({ ...plain, ...requested })).toMatchObject(allocated);
});

test('a Service becomes dual-stack with the same first address, and single-stack again', () => {
  const single = allocateSpec(plain);
  const dual = allocateSpec({ ...single, ipFamilyPolicy: 'PreferDualStack' }, single);
  expect(dual).toMatchObject({ clusterIPs: ['10.0.0.17', 'fd00:1::101'], ipFamilies: ['IPv4', 'IPv6'] });
  expect(allocateSpec({ ...dual, ipFamilyPolicy: 'SingleStack' }, dual)).toMatchObject({ clusterIPs: ['10.0.0.17'], ipFamilies: ['IPv4'] });
  expect(refused(() => allocateSpec({ ...dual, ipFamilies: ['IPv4'] }, dual))).toContain(
    "must be 'SingleStack' to release the secondary IP family",
  );
  expect(allocateSpec({ ...plain, clusterIP: '10.0.0.17' }, dual)['clusterIPs']).toEqual(['10.0.0.17', 'fd00:1::101']);
});

test('refuses two families without a dual-stack policy', () => {
  expect(refused(() => allocateSpec({ ...plain, ipFamilies: ['IPv4', 'IPv6'] }))).toContain(
    "Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
  );
});

test('allocates an address only from the range of its family', () => {
  const both = { ...plain, ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9', 'fd00:2::1'] };
  expect(refused(() => allocateSpec(both))).toContain(
    'failed to allocate IP fd00:2::1: the provided network does not match the current range',
  );
  const allocator = new ServiceAllocator(ranges);
  allocator.updateService('/x', service({ ...plain, clusterIPs: ['fd00:1::101'] }));
  expect(allocateSpec({ ...plain, ipFamilies: ['IPv6'] }, undefined, allocator)['clusterIP']).toBe('fd00:1::102');
});

test('allocates node ports from the configured range until it is full', () => {
  const allocator = new ServiceAllocator(ranges);
  const open = { ...plain, type: 'NodePort' };
  const ports = (count: number): JsonObject => ({
    ...open,
    ports: Array.from({ length: count }, (_, index) => ({ port: index + 1, name: `p${index}` })),
  });
  expect(allocateSpec(ports(2), undefined, allocator)['ports']).toMatchObject([{ nodePort: 30_000 }, { nodePort: 30_001 }]);
  expect(refused(() => allocateSpec(ports(3)))).toBe('Internal error occurred: failed to allocate a nodePort: range is full');
  expect(refused(() => allocateSpec({ ...open, ports: [{ port: 1, nodePort: 30_002 }] }))).toContain(
    'The range of valid ports is 30000-30001',
  );
});

test.each([
  ['10.96.0.0/12', '10.96.0.0/12', 0x0a600001n, 0x0a6ffffen, 256n],
  ['10.0.0.5/28', '10.0.0.0/28', 0x0a000001n, 0x0a00000en, 0n],
  ['fd00::/120', 'fd00::/120', (0xfd00n << 112n) + 1n, (0xfd00n << 112n) + 255n, 16n],
])('parses the range %s with first and last address and the reserved part', (written, text, first, last, reserved) => {
  expect(addressRange(written)).toMatchObject({ text, first, last, reserved });
});
