import { afterEach, expect, test } from 'vitest';
import { clusterDefaults, startScheduler } from './index.ts';
import { bodyOf, startTestCluster, type TestCluster } from './test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function started(): Promise<TestCluster> {
  const admission = { ...clusterDefaults.admission, disabled: ['ServiceAccount', 'TaintNodesByCondition'] };
  running = await startTestCluster({ scheduler: startScheduler, admission });
  return running;
}

/** Advances the clock until the response is as expected. */
async function until(target: string, isDone: (text: string) => boolean): Promise<Record<string, unknown>> {
  for (let round = 0; round < 400; round++) {
    const body = bodyOf(await running.send('GET', target));
    if (isDone(JSON.stringify(body))) return body;
    await running.clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${target}: ${JSON.stringify(bodyOf(await running.send('GET', target)))} ${JSON.stringify(running.log.lines)}`);
}

async function createNode(name: string, cpu = '4'): Promise<void> {
  const allocatable = { cpu, memory: '8Gi', pods: '110' };
  await running.send('POST', '/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } }, status: { allocatable } });
}

const pods = '/api/v1/namespaces/default/pods';

function createPod(name: string, spec: object = {}, cpu = '1'): Promise<unknown> {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];
  return running.send('POST', pods, { metadata: { name }, spec: { containers, ...spec } });
}

const isBound = (text: string): boolean => text.includes('"nodeName"');

test('binds a pod to the only node that fits, with its event', async () => {
  await started();
  await createNode('small', '500m');
  await createNode('large');
  await createPod('web');
  expect(await until(`${pods}/web`, isBound)).toMatchObject({ spec: { nodeName: 'large' } });
  const { items } = await until('/apis/events.k8s.io/v1/namespaces/default/events', (text) => text.includes('Scheduled'));
  expect(items).toMatchObject([
    {
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      note: 'Successfully assigned default/web to large',
      reportingController: 'default-scheduler',
      reportingInstance: 'default-scheduler-localhost',
      regarding: { kind: 'Pod', namespace: 'default', name: 'web', apiVersion: 'v1' },
      metadata: { managedFields: [{ manager: 'kube-scheduler' }] },
    },
  ]);
});

test('reports a pod that no node fits, and binds it when a node is added', async () => {
  await started();
  await createPod('web', { nodeSelector: { 'kubernetes.io/hostname': 'second' } });
  const none = await until(`${pods}/web`, (text) => text.includes('Unschedulable'));
  expect(JSON.stringify(none)).toContain('no nodes available to schedule pods');
  await createNode('first');
  await createNode('second');
  expect(await until(`${pods}/web`, isBound)).toMatchObject({ spec: { nodeName: 'second' } });
});

test('does not schedule a pod with gates, of another scheduler or beyond the capacity', async () => {
  await started();
  await createNode('only', '2');
  await createPod('gated', { schedulingGates: [{ name: 'wait' }] });
  await createPod('other', { schedulerName: 'other' });
  await createPod('first', {}, '2');
  await until(`${pods}/first`, isBound);
  await createPod('second', {}, '2');
  await until(`${pods}/second`, (text) => text.includes('0/1 nodes are available: 1 Insufficient cpu.'));
  const ungated = { spec: { schedulingGates: null } };
  await running.send('PATCH', `${pods}/gated`, ungated, { 'content-type': 'application/merge-patch+json' });
  await running.send('DELETE', `${pods}/first`, { gracePeriodSeconds: 0 });
  expect(await until(`${pods}/gated`, (text) => isBound(text) || text.includes('Insufficient'))).toMatchObject({ kind: 'Pod' });
  expect(JSON.stringify(bodyOf(await running.send('GET', `${pods}/other`)))).not.toContain('nodeName');
});
