import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const claim = {
  metadata: { name: 'c' },
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', adminAccess: true } }] } },
};

test('allows admin access to devices only in labelled namespaces', async () => {
  const { send } = await startTestCluster();
  const refused = await send('POST', claims, claim);
  expect(refused.status).toBe(422);
  expect(bodyOf(refused)['message']).toBe(
    'ResourceClaim.resource.k8s.io "c" is invalid: spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the ' +
      '`resource.kubernetes.io/admin-access: true` label on the containing namespace',
  );
  await send(
    'PATCH',
    '/api/v1/namespaces/default',
    [{ op: 'add', path: '/metadata/labels/resource.kubernetes.io~1admin-access', value: 'true' }],
    {
      'content-type': 'application/json-patch+json',
    },
  );
  expect((await send('POST', claims, claim)).status).toBe(201);
});
