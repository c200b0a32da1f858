import { afterEach, expect, test } from 'vitest';
// Loaded before: the controller loads it on demand, which takes real time, in which the test would advance the clock.
import '../../controllers/horizontal-pod-autoscaler/reconciliation.ts';
import { bodyOf } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const base = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'web' };

async function started(): Promise<void> {
  running = await startWorkloadCluster('horizontal-pod-autoscaler-controller');
}

const until: WorkloadCluster['until'] = (target, isDone) => running.until(target, isDone, { stepMs: 500 });
const post: WorkloadCluster['create'] = (...parameters) => running.create(...parameters);

async function createDeployment(replicas: number): Promise<void> {
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  await post(deployments, { metadata: { name: 'web' }, spec: { replicas, selector: { matchLabels: labels }, template } });
  for (let index = 0; index < replicas; index++) {
    await post('/api/v1/namespaces/default/pods', { metadata: { name: `web-${index}`, labels }, spec: template.spec });
    const startTime = '2025-12-31T00:00:00Z';
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: startTime }];
    const patch = { status: { phase: 'Running', startTime, conditions } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    await running.send('PATCH', `/api/v1/namespaces/default/pods/web-${index}/status`, patch, headers);
  }
  const headers = { 'content-type': 'application/merge-patch+json' };
  await running.send('PATCH', `${deployments}/web/status`, { status: { replicas, readyReplicas: replicas } }, headers);
}

async function createAutoscaler(maxReplicas: number): Promise<void> {
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }];
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  await post(base, { metadata: { name: 'h' }, spec: { scaleTargetRef, maxReplicas, metrics } });
}

async function serveMetrics(pods: number, cpu: string): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'pods.metrics.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
    spec: {
      group: 'metrics.k8s.io',
      scope: 'Namespaced',
      names: { plural: 'pods', singular: 'pod', kind: 'PodMetrics', listKind: 'PodMetricsList' },
      versions: [{ name: 'v1beta1', served: true, storage: true, schema }],
    },
  });
  await until('/apis/metrics.k8s.io/v1beta1', ({ kind }) => kind === 'APIResourceList');
  for (let index = 0; index < pods; index++) {
    const usage = { name: 'c', usage: { cpu, memory: '10Mi' } };
    const object = { metadata: { name: `web-${index}`, labels }, timestamp: '2026-01-01T00:00:00Z', window: '1s', containers: [usage] };
    const typed = { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', ...object };
    await post('/apis/metrics.k8s.io/v1beta1/namespaces/default/pods', typed);
  }
}

const reasons = ({ status }: Record<string, unknown>): readonly string[] =>
  ((status as { conditions?: readonly { reason: string }[] } | undefined)?.conditions ?? []).map(({ reason }) => reason);

test('scales a target by the usage of its pods, up to the maximum', async () => {
  await started();
  await createDeployment(2);
  await serveMetrics(2, '400m');
  await createAutoscaler(3);
  const autoscaler = await until(`${base}/h`, (body) => reasons(body).length === 3);
  expect(reasons(autoscaler)).toEqual(['SucceededRescale', 'ValidMetricFound', 'TooManyReplicas']);
  expect(autoscaler['status']).toMatchObject({
    currentReplicas: 2,
    desiredReplicas: 3,
    currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 400, averageValue: '400m' } } }],
  });
  expect(bodyOf(await running.send('GET', `${deployments}/web`))['spec']).toMatchObject({ replicas: 3 });
});

test('reports that there is no metrics API', async () => {
  await started();
  await createDeployment(1);
  await createAutoscaler(3);
  const { status } = await until(`${base}/h`, (body) => reasons(body).includes('FailedGetResourceMetric'));
  const text =
    'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
  expect(status).toMatchObject({ currentMetrics: [{ type: '' }], currentReplicas: 1 });
  expect(JSON.stringify(status)).toContain(`failed to get cpu utilization: unable to get metrics for resource cpu: ${text}`);
});

test('reports that there is no target', async () => {
  await started();
  await createAutoscaler(3);
  const { status } = await until(`${base}/h`, (body) => reasons(body).includes('FailedGetScale'));
  expect(status).toMatchObject({ conditions: [{ type: 'AbleToScale', status: 'False' }], currentMetrics: null });
  expect(JSON.stringify(status)).toContain('deployments.apps \\"web\\" not found');
});
