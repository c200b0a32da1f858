import { expect, test } from 'vitest';
import type { ApiObject } from '../../../meta/index.ts';
import { withoutDeallocated } from './resource-claim.ts';

const named = (device: string): { driver: string; pool: string; device: string } => ({ driver: 'd', pool: 'p', device });
const claimOf = (allocated: readonly string[], reported: readonly string[]): ApiObject => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'c' },
  status: {
    ...(allocated.length > 0 ? { allocation: { devices: { results: allocated.map(named) } } } : {}),
    devices: reported.map(named),
  },
});

test.each([
  ['all devices are deallocated', [], ['a', 'b'], undefined],
  ['one device is deallocated', ['b'], ['a', 'b'], ['b']],
  ['a device was never allocated, which validation reports', ['a', 'b'], ['a', 'c'], ['a', 'c']],
])('the status of devices when %s', (_, allocated, reported, remaining) => {
  const { status } = withoutDeallocated(claimOf(allocated, reported), claimOf(['a', 'b'], ['a', 'b']));
  expect((status as { devices?: object }).devices).toEqual(remaining?.map(named));
});
