import { afterEach, expect, test } from 'vitest';
import { clusterDefaults, createOptionalPlugins, startNodes } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

async function started(): Promise<TestCluster> {
  running = await startTestCluster({
    nodes: startNodes,
    admission: {
      ...clusterDefaults.admission,
      enabled: ['NodeRestriction'],
      disabled: ['ServiceAccount'],
      defaultOffPlugins: createOptionalPlugins,
    },
  });
  return running;
}

const until: TestCluster['until'] = (...parameters) => running.until(...parameters);

const contains =
  (text: string) =>
  (body: Record<string, unknown>): boolean =>
    JSON.stringify(body).includes(text);
const pods = '/api/v1/namespaces/default/pods';
const node = (annotations: object): object => ({ metadata: { name: 'a', annotations } });
const pod = (name: string, more: object = {}): object => ({
  metadata: { name, ...more },
  spec: { nodeName: 'a', containers: [{ name: 'c', image: 'i' }] },
});

test('runs the nodes with the annotation, as system:node', async () => {
  const { send, clock, traces } = await started();
  await send('POST', '/api/v1/nodes', node({ 'kwok.x-k8s.io/node': 'fake' }));
  await until('/api/v1/nodes/a', contains('"KubeletReady"'));
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a';
  const first = await until(lease, contains('"renewTime"'));
  expect(first['metadata']).toMatchObject({ ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a' }] });
  await clock.advance(10_000);
  await until(lease, (body) => JSON.stringify(body['spec']) !== JSON.stringify(first['spec']));
  expect(
    traces
      .filter(({ user }) => user === 'system:node:a')
      .map(({ status }) => status)
      .sort(),
  ).toEqual([200, 200, 201, 404]);
});

test('runs, ends and removes the pods of adopted nodes', async () => {
  const { send } = await started();
  expect((await send('POST', pods, pod('web'))).status).toBe(201);
  await send('POST', '/api/v1/nodes', node({ 'kwok.x-k8s.io/node': 'fake' }));
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' };
  await send('POST', pods, pod('task', { ownerReferences: [owner], finalizers: ['example.com/tracking'] }));
  await until(`${pods}/web`, contains('"phase":"Running"'));
  await until(`${pods}/task`, contains('"phase":"Succeeded"'));
  for (const name of ['web', 'task']) {
    await send('DELETE', `${pods}/${name}`);
    await until(`${pods}/${name}`, ({ reason }) => reason === 'NotFound');
  }
});

test('ignores other nodes', async () => {
  const { send, clock } = await started();
  await send('POST', '/api/v1/nodes', node({ 'kwok.x-k8s.io/node': 'real' }));
  await send('POST', pods, pod('web'));
  await clock.advance(60_000);
  expect(bodyOf(await send('GET', '/api/v1/nodes/a'))['status']).not.toHaveProperty('conditions');
  expect(bodyOf(await send('GET', `${pods}/web`))['status']).toMatchObject({ phase: 'Pending' });
});
