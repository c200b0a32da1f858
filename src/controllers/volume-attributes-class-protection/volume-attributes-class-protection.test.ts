import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { classesOfClaim, reconcileFinalizers } from './index.ts';

const finalizer = 'kubernetes.io/vac-protection';
const deletionTimestamp = '2026-01-01T00:00:00Z';

test.each([
  ['adds the finalizer', { finalizers: ['a'] }, false, ['a', finalizer]],
  ['leaves a protected class alone', { finalizers: [finalizer] }, false, undefined],
  ['protects a deleted class while it is used', { finalizers: [finalizer], deletionTimestamp }, true, undefined],
  ['releases a deleted class', { finalizers: ['a', finalizer], deletionTimestamp }, false, ['a']],
  ['leaves other finalizers of a deleted class alone', { finalizers: ['a'], deletionTimestamp }, false, undefined],
])('%s', (_, metadata, isUsed, expected) => {
  expect(reconcileFinalizers({ metadata: { name: 'gold', ...metadata } }, finalizer, isUsed)).toEqual(expected);
});

test('a claim refers to the class that it requests, has, and is changed to', () => {
  const claim = {
    spec: { volumeAttributesClassName: 'gold' },
    status: {
      currentVolumeAttributesClassName: 'silver',
      modifyVolumeStatus: { status: 'Pending', targetVolumeAttributesClassName: 'gold' },
    },
  };
  expect(classesOfClaim(claim as corev1.PersistentVolumeClaim)).toEqual(['gold', 'silver']);
});
