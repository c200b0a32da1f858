import { afterEach, expect, test } from 'vitest';
// Loaded before: the controller loads it on demand, which takes real time, in which the test would advance the clock.
import '../../controllers/horizontal-pod-autoscaler/reconciliation.ts';
import { productByName } from '../../meta/index.ts';
import { allControllers, clusterDefaults, numberedNodes, startControllers, startNodes, startScheduler } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const pods = '/api/v1/namespaces/default/pods';

async function started(names: 'kubernetes' | 'svc' = 'kubernetes'): Promise<string> {
  const product = productByName(names);
  running = await startTestCluster({
    product,
    nodes: (options) => startNodes(options, numberedNodes(1)),
    admission: { ...clusterDefaults.admission, disabled: ['ServiceAccount'] },
  });
  return `/apis/${product.rename('metrics.k8s.io')}/v1beta1`;
}

async function advance(seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await running.clock.advance(250);
  }
}

const createPod = (name: string, container: object, metadata: object = {}): Promise<unknown> =>
  running.send('POST', pods, {
    metadata: { name, labels: { app: name }, ...metadata },
    spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'redis', ...container }] },
  });

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly containers: readonly { readonly usage: Readonly<Record<string, string>> }[];
  }[];
}

test.each(['kubernetes', 'svc'] as const)('measures nodes and pods (%s)', async (names) => {
  const root = await started(names);
  await createPod('web', {});
  await createPod('none', { image: 'nginx:does-not-exist' });
  await advance(10);
  const message = `podmetrics.${productByName(names).rename('metrics.k8s.io')} "default/web" not found`;
  expect(bodyOf(await running.send('GET', `${root}/namespaces/default/pods/web`))).toMatchObject({ code: 404, message });
  await advance(30);
  const pod = bodyOf(await running.send('GET', `${root}/namespaces/default/pods/web`));
  expect(pod).toMatchObject({ kind: 'PodMetrics', metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } } });
  expect(pod['window']).toMatch(/^1[45]\.?\d*s$/);
  expect(pod['containers']).toEqual([
    { name: 'c', usage: { cpu: expect.stringMatching(/^\d+n$/), memory: expect.stringMatching(/^\d{4}Ki$/) } },
  ]);
  expect(bodyOf(await running.send('GET', `${root}/namespaces/default/pods/web`))['containers']).toEqual(pod['containers']);
  const listed = bodyOf(await running.send('GET', `${root}/pods`)) as unknown as Listed;
  expect(listed.items.map(({ metadata }) => metadata.name)).toEqual(['web']);
  expect(bodyOf(await running.send('GET', `${root}/namespaces/default/pods?labelSelector=app=x`))['items']).toEqual([]);
  const [code, missing] = [404, 'pods "nope" not found'];
  expect(bodyOf(await running.send('GET', `${root}/namespaces/default/pods/nope`))).toMatchObject({ code, message: missing });
  expect(bodyOf(await running.send('GET', `${root}/nodes/node-1`))).toMatchObject({
    kind: 'NodeMetrics',
    usage: { cpu: expect.stringMatching(/n$/) },
  });
  expect(bodyOf(await running.send('GET', `${root}/nodes/nope`))).toMatchObject({ code, message: 'node "nope" not found' });
  expect(bodyOf(await running.send('DELETE', `${root}/nodes/node-1`))['code']).toBe(405);
});

test('is discovered, and shown as a table', async () => {
  const root = await started();
  await createPod('web', {});
  await advance(40);
  expect(bodyOf(await running.send('GET', root))['resources']).toEqual([
    { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ]);
  const apiService = bodyOf(await running.send('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io'));
  expect(apiService['status']).toMatchObject({ conditions: [{ type: 'Available', status: 'True', reason: 'Passed' }] });
  const { columnDefinitions, rows } = bodyOf(await running.send('GET', `${root}/pods`, undefined, table));
  expect((columnDefinitions as readonly { name: string }[]).map(({ name }) => name)).toEqual(['Name', 'cpu', 'memory', 'Window']);
  expect((rows as readonly { cells: readonly string[] }[])[0]?.cells[0]).toBe('web');
  const open = bodyOf(await running.send('GET', '/openapi/v3/apis/metrics.k8s.io/v1beta1'));
  expect(JSON.stringify(open)).toContain('PodMetricsList');
});

test('is served while its APIService exists', async () => {
  const root = await started();
  await advance(1);
  expect((await running.send('GET', root)).status).toBe(200);
  await running.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io');
  expect((await running.send('GET', root)).status).toBe(404);
  expect((await running.send('GET', `${root}/nodes`)).status).toBe(404);
});

test('is not served without nodes', async () => {
  running = await startTestCluster({ nodes: (options) => startNodes(options) });
  await advance(1);
  expect((await running.send('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).status).toBe(404);
});

test('the HorizontalPodAutoscaler uses the metrics of the nodes', async () => {
  running = await startTestCluster({
    controllers: (options) => startControllers(options, { available: allControllers, enabled: ['*'] }),
    scheduler: (options) => startScheduler({ ...options, host: 'h' }),
    nodes: (options) => startNodes(options, numberedNodes(2)),
  });
  const labels = { app: 'web' };
  const containers = [{ name: 'c', image: 'redis', resources: { requests: { cpu: '100m' } } }];
  const template = { metadata: { labels, annotations: { 'kwok.x-k8s.io/usage-cpu': '200m' } }, spec: { containers } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await running.send('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'web' }, spec });
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }];
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  await running.send('POST', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'web' },
    spec: { scaleTargetRef, maxReplicas: 3, metrics },
  });
  await advance(90);
  const { status } = bodyOf(await running.send('GET', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/web'));
  expect(status).toMatchObject({
    desiredReplicas: 3,
    currentMetrics: [{ resource: { name: 'cpu', current: { averageUtilization: 200, averageValue: '200m' } } }],
  });
});
