import { afterEach, expect, test } from 'vitest';
import { allControllers } from '../controllers/all/index.ts';
import { startControllers } from './index.ts';
import { bodyOf, startTestCluster, type TestCluster } from './test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const pods = '/api/v1/namespaces/default/pods';
const resources = '/apis/resource.k8s.io/v1/namespaces/default';

async function until(target: string, isDone: (body: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  for (let round = 0; round < 200; round++) {
    const body = bodyOf(await running.send('GET', target));
    if (isDone(body)) return body;
    await running.clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${target} did not become what it should`);
}

const post = async (target: string, object: object): Promise<void> => {
  expect((await running.send('POST', target, object)).status).toBe(201);
};
const itemsOf = ({ items }: Record<string, unknown>): readonly { metadata: { name: string } }[] => items as never;

test('a pod gets a claim from its template, which is deleted when the pod has ended', async () => {
  const enabled = ['serviceaccount-controller', 'resourceclaim-controller'];
  running = await startTestCluster({ controllers: (options) => startControllers(options, { available: allControllers, enabled }) });
  await until('/api/v1/namespaces/default/serviceaccounts/default', ({ kind }) => kind === 'ServiceAccount');
  const container = { name: 'c', image: 'i', resources: { claims: [{ name: 'r' }] } };
  const spec = { containers: [container], resourceClaims: [{ name: 'r', resourceClaimTemplateName: 't' }] };
  await post(pods, { metadata: { name: 'p' }, spec });
  const events = await until('/api/v1/namespaces/default/events', (list) => itemsOf(list).length > 0);
  const text = 'PodResourceClaim r: resource claim template \\"t\\": resourceclaimtemplate.resource.k8s.io \\"t\\" not found';
  expect(JSON.stringify(events)).toContain(text);
  const devices = { requests: [{ name: 'r', exactly: { deviceClassName: 'none' } }] };
  await post(`${resources}/resourceclaimtemplates`, { metadata: { name: 't' }, spec: { spec: { devices } } });
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
