import { afterEach, expect, test } from 'vitest';
import { passTime } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, startWorkloadClusterWith, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const pods = '/api/v1/namespaces/default/pods';
const resources = '/apis/resource.k8s.io/v1/namespaces/default';

const itemsOf = ({ items }: Record<string, unknown>): readonly { metadata: { name: string } }[] => items as never;

test('a pod gets a claim from its template, which is deleted when the pod has ended', async () => {
  running = await startWorkloadCluster('resourceclaim-controller');
  const { create, until } = running;
  const container = { name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] } };
  const spec = { containers: [container], resourceClaims: [{ name: 'r', resourceClaimTemplateName: 't' }] };
  await create(pods, { metadata: { name: 'p' }, spec });
  const events = await until('/api/v1/namespaces/default/events', (list) => itemsOf(list).length > 0);
  const text = 'PodResourceClaim r: resource claim template \\"t\\": resourceclaimtemplate.resource.k8s.io \\"t\\" not found';
  expect(JSON.stringify(events)).toContain(text);
  const devices = { requests: [{ name: 'r', exactly: { deviceClassName: 'none' } }] };
  await create(`${resources}/resourceclaimtemplates`, { metadata: { name: 't' }, spec: { spec: { devices } } });
  const [claim] = itemsOf(await until(`${resources}/resourceclaims`, (list) => itemsOf(list).length === 1));
  expect(claim).toMatchObject({
    metadata: {
      generateName: 'p-r-',
      annotations: { 'resource.kubernetes.io/pod-claim-name': 'r' },
      ownerReferences: [{ kind: 'Pod', name: 'p' }],
    },
  });
  const { status } = await until(`${pods}/p`, (body) => JSON.stringify(body['status']).includes('resourceClaimStatuses'));
  expect(status).toMatchObject({ resourceClaimStatuses: [{ name: 'r', resourceClaimName: claim?.metadata.name }] });
  const headers = { 'content-type': 'application/merge-patch+json' };
  await running.send('PATCH', `${pods}/p/status`, { status: { phase: 'Failed' } }, headers);
  await until(`${resources}/resourceclaims`, (list) => itemsOf(list).length === 0);
});

// As kube-controller-manager 1.34.4 does for an hour after it created the claim.
test('a deleted claim is not created again', async () => {
  const requests: string[] = [];
  running = await startWorkloadClusterWith(
    (api) => (request) => {
      if (request.method !== 'GET') requests.push(`${request.method} ${request.target.replace(/\?.*/, '')}`);
      return api(request);
    },
    ['resourceclaim-controller'],
  );
  const { create, until, send } = running;
  const devices = { requests: [{ name: 'r', exactly: { deviceClassName: 'none' } }] };
  await create(`${resources}/resourceclaimtemplates`, { metadata: { name: 't' }, spec: { spec: { devices } } });
  const container = { name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] } };
  const spec = { containers: [container], resourceClaims: [{ name: 'r', resourceClaimTemplateName: 't' }] };
  await create(pods, { metadata: { name: 'p' }, spec });
  await until(`${pods}/p`, (body) => JSON.stringify(body['status']).includes('resourceClaimStatuses'));
  await passTime(running.clock, 120);
  requests.length = 0;
  const [claim] = itemsOf(await until(`${resources}/resourceclaims`, (list) => itemsOf(list).length === 1));
  await send('DELETE', `${resources}/resourceclaims/${claim?.metadata.name}`);
  await passTime(running.clock, 5);
  expect(itemsOf(await until(`${resources}/resourceclaims`, () => true))).toEqual([]);
  // The status is written again, without a change.
  expect(requests).toEqual([`PATCH ${pods}/p/status`]);
});
