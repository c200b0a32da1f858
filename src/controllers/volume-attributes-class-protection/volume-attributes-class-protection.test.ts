import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { classesOfClaim } from './index.ts';

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
