import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { usesClaim } from './persistent-volume-claim-protection.ts';
import { reconcileFinalizers } from './persistent-volume-protection.ts';

const finalizer = 'kubernetes.io/pv-protection';
const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  ['adds the finalizer', { finalizers: ['a'] }, 'Available', ['a', finalizer]],
  ['leaves a protected volume alone', { finalizers: [finalizer] }, 'Bound', undefined],
  ['protects a deleted volume while it is bound', { finalizers: [finalizer], deletionTimestamp }, 'Bound', undefined],
  ['releases a deleted volume', { finalizers: ['a', finalizer], deletionTimestamp }, 'Released', ['a']],
  ['leaves other finalizers of a deleted volume alone', { finalizers: ['a'], deletionTimestamp }, 'Released', undefined],
])('%s', (_, metadata, phase, expected) => {
  expect(reconcileFinalizers({ metadata: { name: 'a', ...metadata }, status: { phase } }, finalizer)).toEqual(expected);
});

const pod = (volumes: readonly corev1.Volume[], phase = 'Pending'): corev1.Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { namespace: 'default', name: 'web', uid: 'u1' },
  spec: { containers: [], volumes },
  status: { phase },
});
const claimed = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
const owned = { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u1', controller: true }] };

test.each([
  ['a pod that is not scheduled', pod(claimed), { name: 'data' }, true],
  ['a running pod', pod(claimed, 'Running'), { name: 'data' }, true],
  ['a terminated pod', pod(claimed, 'Failed'), { name: 'data' }, false],
  ['a pod with another claim', pod(claimed), { name: 'other' }, false],
  ['the owner of an ephemeral volume', pod([{ name: 'v', ephemeral: {} }]), { name: 'web-v', ...owned }, true],
  ['a pod whose ephemeral volume has the same name', pod([{ name: 'v', ephemeral: {} }]), { name: 'web-v' }, false],
])('%s uses a claim: %#', (_, user, metadata, expected) => {
  expect(usesClaim(user, { metadata })).toBe(expected);
});
