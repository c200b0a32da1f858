import { afterEach, expect, test } from 'vitest';
import { Explanations } from '../../scheduler/index.ts';
import { clusterDefaults, startScheduler } from '../index.ts';
import { type Body, bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function started(scheduler: typeof startScheduler = startScheduler): Promise<TestCluster> {
  const admission = { ...clusterDefaults.admission, disabled: ['ServiceAccount', 'TaintNodesByCondition'] };
  running = await startTestCluster({ scheduler, admission });
  return running;
}

const until = (target: string, isDone: (text: string) => boolean): Promise<Body> =>
  running.until(target, (body) => isDone(JSON.stringify(body)), { steps: 400 });

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

test('gives up a pod that was deleted while its volume was being provisioned', async () => {
  await started();
  await createNode('first');
  const metadata = { name: 'disk' };
  await running.send('POST', '/apis/storage.k8s.io/v1/storageclasses', {
    metadata,
    provisioner: 'example.com/disk',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const resources = { requests: { storage: '1Gi' } };
  await running.send('POST', claims, { metadata, spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'disk', resources } });
  await createPod('web', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'disk' } }] });
  await until(`${claims}/disk`, (text) => text.includes('selected-node'));
  await running.send('DELETE', `${pods}/web`);
  const { items } = await until('/apis/events.k8s.io/v1/namespaces/default/events', (text) => text.includes('FailedScheduling'));
  // As kube-scheduler 1.34.4.
  const note = 'running PreBind plugin "VolumeBinding": binding volumes: pod does not exist any more: pod "web" not found';
  expect(items).toMatchObject([{ regarding: { name: 'web' }, action: 'Scheduling', note }]);
});

test('preempts a pod of a lower priority, and binds the preemptor to its node', async () => {
  await started();
  await createNode('only', '2');
  await createPod('low', {}, '2');
  await until(`${pods}/low`, isBound);
  await running.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
  await createPod('high', { priorityClassName: 'high' }, '2');
  // The victim is terminating until its kubelet is done.
  const victim = await until(`${pods}/low`, (text) => text.includes('deletionTimestamp'));
  expect(JSON.stringify(victim)).toContain('default-scheduler: preempting to accommodate a higher priority pod');
  const preemptor = await until(`${pods}/high`, (text) => text.includes('nominatedNodeName'));
  expect(preemptor).toMatchObject({ status: { nominatedNodeName: 'only' } });
  await running.send('DELETE', `${pods}/low`, { gracePeriodSeconds: 0 });
  expect(await until(`${pods}/high`, isBound)).toMatchObject({ spec: { nodeName: 'only' } });
  const { metadata } = preemptor as { readonly metadata: { readonly uid: string } };
  const { items } = await until('/apis/events.k8s.io/v1/namespaces/default/events', (text) => text.includes('"Preempted"'));
  const notes = (items as readonly { readonly note: string }[]).map(({ note }) => note);
  expect(notes).toContain(`Preempted by pod ${metadata.uid} on node only`);
  expect(notes).toContain('0/1 nodes are available: 1 Insufficient cpu.');
});

test('explains its decisions, and follows the profile of a pod', async () => {
  const explanations = new Explanations();
  const configuration = {
    profiles: [
      {},
      { schedulerName: 'packing', pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } }] },
    ],
  } as const;
  await started((options) => startScheduler({ ...options, explanations, configuration }));
  await createNode('first');
  await createNode('second');
  await createPod('spread-1');
  const { spec } = await until(`${pods}/spread-1`, isBound);
  const { nodeName: busy } = spec as { readonly nodeName: string };
  await createPod('spread-2');
  expect(await until(`${pods}/spread-2`, isBound)).not.toMatchObject({ spec: { nodeName: busy } });
  await createPod('extra', { nodeName: 'first' });
  await createPod('packed', { schedulerName: 'packing', nodeSelector: { 'kubernetes.io/hostname': busy } });
  expect(await until(`${pods}/packed`, isBound)).toMatchObject({ spec: { nodeName: busy } });
  expect(explanations.get('default/spread-2')).toMatchObject({ pod: 'default/spread-2', attempt: 1, refusals: [] });
  expect(explanations.get('default/spread-2')?.scores.map(({ node }) => node)).toHaveLength(2);
  expect(explanations.get('default/spread-2')?.scores[0]?.byPlugin).toMatchObject({ NodeResourcesFit: expect.any(Number) });
  expect(explanations.get('default/packed')).toMatchObject({
    node: busy,
    refusals: [{ plugin: 'NodeAffinity', reasons: ["node(s) didn't match Pod's node affinity/selector"] }],
  });
});

test('allocates devices for claims by selectors, and a pod waits until a device is free', async () => {
  await started();
  for (const name of ['plain', 'gpus']) await createNode(name);
  const devices = [
    { name: 'a', attributes: { model: { string: 'a100' } } },
    { name: 'b', attributes: { model: { string: 'h100' } } },
  ];
  const group = '/apis/resource.k8s.io/v1';
  const pool = { name: 'gpus', generation: 1, resourceSliceCount: 1 };
  const create = async (target: string, body: object): Promise<void> => {
    expect((await running.send('POST', `${group}${target}`, body)).status).toBe(201);
  };
  await create('/resourceslices', { metadata: { name: 's' }, spec: { driver: 'gpu.example.com', nodeName: 'gpus', pool, devices } });
  const selectors = [{ cel: { expression: 'device.driver == "gpu.example.com"' } }];
  await create('/deviceclasses', { metadata: { name: 'gpu' }, spec: { selectors } });
  const h100 = [{ cel: { expression: 'device.attributes["gpu.example.com"].model == "h100"' } }];
  for (const name of ['first', 'second']) {
    const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', selectors: h100 } }];
    await create('/namespaces/default/resourceclaims', { metadata: { name }, spec: { devices: { requests } } });
    await createPod(name, { resourceClaims: [{ name: 'gpu', resourceClaimName: name }] });
    await running.clock.advance(100);
  }
  expect(await until(`${pods}/first`, isBound)).toMatchObject({ spec: { nodeName: 'gpus' } });
  const { metadata, status } = await until(`${group}/namespaces/default/resourceclaims/first`, (text) => text.includes('reservedFor'));
  expect(metadata).toMatchObject({ finalizers: ['resource.kubernetes.io/delete-protection'] });
  expect(status).toMatchObject({
    allocation: { devices: { results: [{ request: 'r', driver: 'gpu.example.com', pool: 'gpus', device: 'b' }] } },
    reservedFor: [{ resource: 'pods', name: 'first' }],
  });
  const pending = await until(`${pods}/second`, (text) => text.includes('Unschedulable'));
  expect(JSON.stringify(pending)).toContain('0/2 nodes are available: 2 cannot allocate all claims. still not schedulable');
  await running.send(
    'PATCH',
    `${group}/namespaces/default/resourceclaims/first/status`,
    { status: { allocation: null, reservedFor: null } },
    {
      'content-type': 'application/merge-patch+json',
    },
  );
  expect(await until(`${pods}/second`, isBound)).toMatchObject({ spec: { nodeName: 'gpus' } });
});
