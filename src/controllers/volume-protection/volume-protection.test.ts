import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { usesClaim } from './persistent-volume-claim-protection.ts';
import { reconcileFinalizers } from './persistent-volume-protection.ts';

const finalizer = 'kubernetes.io/pv-protection';
const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  ['adds the finalizer', { finalizers: ['a'] }, false, ['a', finalizer]],
  ['leaves a protected volume alone', { finalizers: [finalizer] }, true, undefined],
  ['protects a deleted volume while it is used', { finalizers: [finalizer], deletionTimestamp }, true, undefined],
  ['releases a deleted volume', { finalizers: ['a', finalizer], deletionTimestamp }, false, ['a']],
  ['leaves other finalizers of a deleted volume alone', { finalizers: ['a'], deletionTimestamp }, false, undefined],
])('%s', (_, metadata, isUsed, expected) => {
  expect(reconcileFinalizers({ metadata: { name: 'a', ...metadata } }, finalizer, isUsed)).toEqual(expected);
});

const pod = (volumes: readonly corev1.Volume[], phase = 'Running', metadata: Partial<corev1.Pod['metadata']> = {}): corev1.Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { namespace: 'default', name: 'web', uid: 'u1', ...metadata },
  spec: { containers: [], volumes, nodeName: 'node-1' },
  status: { phase },
});
const unscheduled = ({ spec, ...rest }: corev1.Pod): corev1.Pod => ({ ...rest, spec: { ...spec, nodeName: '' } });
const claimed = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
const ephemeral = [{ name: 'v', ephemeral: {} }];
const owned = { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'u1', controller: true }] };
const stopping = { deletionTimestamp, deletionGracePeriodSeconds: 30 };
const stopped = { deletionTimestamp, deletionGracePeriodSeconds: 0 };

// As kube-controller-manager 1.34.4 did with such pods and claims.
test.each([
  ['a pod that is not scheduled', unscheduled(pod(claimed)), { name: 'data' }, false],
  ['a scheduled pod', pod(claimed, 'Pending'), { name: 'data' }, true],
  ['a terminated pod', pod(claimed, 'Failed'), { name: 'data' }, true],
  ['a pod with another claim', pod(claimed), { name: 'other' }, false],
  ['the owner of an ephemeral volume', pod(ephemeral), { name: 'web-v', ...owned }, true],
  ['a terminated owner of an ephemeral volume', pod(ephemeral, 'Succeeded'), { name: 'web-v', ...owned }, true],
  ['an owner that is being deleted', pod(ephemeral, 'Running', stopping), { name: 'web-v', ...owned }, true],
  ['an owner whose containers have stopped', pod(ephemeral, 'Running', stopped), { name: 'web-v', ...owned }, false],
  ['a pod whose ephemeral volume has the same name', pod(ephemeral), { name: 'web-v' }, false],
])('%s uses a claim: %#', (_, user, metadata, expected) => {
  expect(usesClaim(user, { metadata })).toBe(expected);
});
