import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const web = { metadata: { name: 'web' }, spec: { clusterIP: '10.96.7.7', ports: [{ port: 80 }] } };

test('creates the IPAddress of a cluster IP with its Service, and deletes it with it', async () => {
  const { send } = await startTestCluster();
  await send('POST', services, web);
  const made = bodyOf(await send('GET', `${addresses}/10.96.7.7`));
  expect(made).toMatchObject({
    metadata: {
      labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
      managedFields: [{ manager: 'kube-apiserver', operation: 'Update' }],
    },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } },
  });
  await send(
    'PATCH',
    `${services}/web`,
    { spec: { type: 'ExternalName', externalName: 'a.example' } },
    {
      'content-type': 'application/merge-patch+json',
    },
  );
  expect((await send('GET', `${addresses}/10.96.7.7`)).status).toBe(404);
  await send('POST', services, { ...web, metadata: { name: 'other' } });
  await send('DELETE', `${services}/other`);
  expect((await send('GET', `${addresses}/10.96.7.7`)).status).toBe(404);
});

test('does not allocate an address with an IPAddress object until it is deleted', async () => {
  const { send } = await startTestCluster();
  await send('POST', addresses, { metadata: { name: '10.96.7.7' }, spec: { parentRef: { resource: 'things', name: 'x' } } });
  const refused = await send('POST', services, web);
  expect(refused.status).toBe(422);
  expect(String(refused.body)).toContain('failed to allocate IP 10.96.7.7: provided IP is already allocated');
  await send('DELETE', `${addresses}/10.96.7.7`);
  expect((await send('POST', services, web)).status).toBe(201);
});

test('creates no IPAddress in a dry run, and allocates addresses of a new ServiceCIDR', async () => {
  const { send } = await startTestCluster();
  await send('POST', `${services}?dryRun=All`, web);
  expect((await send('GET', `${addresses}/10.96.7.7`)).status).toBe(404);
  const further = { ...web, spec: { ...web.spec, clusterIP: '192.168.3.4' } };
  expect((await send('POST', services, further)).status).toBe(422);
  await send('POST', '/apis/networking.k8s.io/v1/servicecidrs', { metadata: { name: 'more' }, spec: { cidrs: ['192.168.3.0/24'] } });
  expect((await send('POST', services, further)).status).toBe(201);
});
