import { afterEach, expect, test } from 'vitest';
import { allControllers, parseClusterCidrs } from '../../controllers/all/index.ts';
import { startControllers } from '../../controllers/index.ts';
import { formatTime } from '../../meta/index.ts';
import { bodyOf, passTime, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';
import { startWorkloadCluster } from './workload.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const nodeControllers = [
  'node-ipam-controller',
  'node-lifecycle-controller',
  'pod-garbage-collector-controller',
  'taint-eviction-controller',
  'ttl-controller',
];

async function start(): Promise<void> {
  running = await startWorkloadCluster(...nodeControllers);
  await pass(2);
}

const pass = (seconds: number): Promise<void> => passTime(running.clock, seconds);

const merge = { 'content-type': 'application/merge-patch+json' };
const pods = '/api/v1/namespaces/default/pods';

async function setReady(name: string, status: string): Promise<void> {
  const now = formatTime(running.clock.nowMs());
  const conditions = [{ type: 'Ready', status, lastHeartbeatTime: now, lastTransitionTime: now }];
  await running.send('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions } }, merge);
}

async function createNode(name: string): Promise<void> {
  await running.send('POST', '/api/v1/nodes', { metadata: { name } });
  await setReady(name, 'True');
}

async function createPod(name: string, nodeName: string): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'c', image: 'i' }] };
  await running.send('POST', pods, { metadata: { name }, spec });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await running.send('PATCH', `${pods}/${name}/status`, { status }, merge);
}

const nodeOf = async (name: string) => bodyOf(await running.send('GET', `/api/v1/nodes/${name}`));
const podOf = async (name: string) => bodyOf(await running.send('GET', `${pods}/${name}`));
const reasonsOf = async (namespace: string): Promise<string> =>
  JSON.stringify(bodyOf(await running.send('GET', `/api/v1/namespaces/${namespace}/events`)));

test('a node that stops reporting is tainted, and its pods are evicted after their toleration', async () => {
  await start();
  await createNode('a');
  await createNode('b');
  await createPod('web', 'a');
  await pass(6);
  const annotations = { 'node.alpha.kubernetes.io/ttl': '0' };
  expect(await nodeOf('a')).toMatchObject({ metadata: { annotations }, spec: { podCIDR: expect.stringMatching(/^10\.244\.\d\.0\/24$/) } });
  expect((await nodeOf('a'))['spec']).not.toHaveProperty('taints');
  for (let round = 0; round < 14; round++) {
    await pass(5);
    await setReady('b', 'True');
  }
  expect(JSON.stringify(await nodeOf('a'))).toContain('Kubelet stopped posting node status.');
  const spec = (await nodeOf('a'))['spec'] as { taints: readonly { key: string; effect: string }[] };
  expect(spec.taints.map(({ key, effect }) => `${key}:${effect}`).sort()).toEqual([
    'node.kubernetes.io/unreachable:NoExecute',
    'node.kubernetes.io/unreachable:NoSchedule',
  ]);
  expect(await podOf('web')).toMatchObject({ status: { conditions: [{ type: 'Ready', status: 'False' }] } });
  expect(await reasonsOf('default')).toContain('"message":"Node a status is now: NodeNotReady"');
  for (let round = 0; round < 62; round++) {
    await pass(5);
    await setReady('b', 'True');
  }
  expect(await podOf('web')).toMatchObject({
    metadata: { deletionTimestamp: expect.any(String) },
    status: {
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'DisruptionTarget', reason: 'DeletionByTaintManager' })]),
    },
  });
});

test('pods of a deleted node are deleted', async () => {
  await start();
  await createNode('a');
  await createPod('web', 'a');
  await pass(6);
  await running.send('DELETE', '/api/v1/nodes/a');
  await pass(30);
  expect((await podOf('web'))['kind']).toBe('Pod');
  await pass(60);
  expect((await podOf('web'))['reason']).toBe('NotFound');
  expect(await reasonsOf('default')).toContain('Removing Node a from Controller');
});

test('a node has no range of addresses while all are in use, until one is released', async () => {
  const clusterCidrs = parseClusterCidrs({ cidrs: ['10.244.0.0/22'], nodeMaskSize: 24 });
  running = await startTestCluster({
    controllers: (options) => startControllers({ ...options, clusterCidrs }, { available: allControllers, enabled: nodeControllers }),
  });
  await pass(2);
  for (let index = 0; index < 5; index++) await running.send('POST', '/api/v1/nodes', { metadata: { name: `n-${index}` } });
  await pass(2);
  const nodes = bodyOf(await running.send('GET', '/api/v1/nodes'))['items'] as { metadata: { name: string }; spec: { podCIDR?: string } }[];
  const without = nodes.filter(({ spec }) => spec.podCIDR === undefined);
  expect(without.length).toBe(1);
  expect(new Set(nodes.map(({ spec }) => spec.podCIDR)).size).toBe(5);
  const [
    {
      metadata: { name },
    } = { metadata: { name: '' } },
  ] = without;
  expect(await reasonsOf('default')).toContain(`Node ${name} status is now: CIDRNotAvailable`);
  const other = name === 'n-0' ? 'n-1' : 'n-0';
  const { podCIDR } = (await nodeOf(other))['spec'] as { podCIDR: string };
  await running.send('DELETE', `/api/v1/nodes/${other}`);
  // The retries of the controller have a growing delay.
  for (let round = 0; round < 20; round++) await pass(5);
  expect((await nodeOf(name))['spec']).toMatchObject({ podCIDR, podCIDRs: [podCIDR] });
});
