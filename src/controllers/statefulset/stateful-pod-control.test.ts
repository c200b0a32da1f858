import { expect, test } from 'vitest';
import type { ResourceClient } from '../../client/index.ts';
import { createManualClock } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { Expectations } from '../expectations.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';

test('reports that another controller has a claim, for which the retention policy is ignored', async () => {
  const events: unknown[] = [];
  const other = { apiVersion: 'v1', kind: 'Backup', name: 'b', uid: 'b', controller: true };
  const claim = {
    metadata: { namespace: 'default', name: 'data-web-0', ownerReferences: [other] },
  } as unknown as corev1.PersistentVolumeClaim;
  const control = new StatefulPodControl({
    pods: {} as ResourceClient<corev1.Pod>,
    claims: {} as ResourceClient<corev1.PersistentVolumeClaim>,
    cachedClaims: { store: { get: () => claim } } as never,
    expectations: new Expectations(createManualClock()),
    recorder: { event: (_, ...event) => void events.push(event) },
    product: productByName('kubernetes'),
  });
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace: 'default', name: 'web', uid: 's' },
    spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' }, volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
  } as unknown as appsv1.StatefulSet;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0', uid: 'p' } } as unknown as corev1.Pod;
  await control.updateClaimOwners(set, pod);
  const message =
    'PersistentVolumeClaim data-web-0 has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim';
  expect(events).toEqual([['Warning', 'ConflictingController', message]]);
});
