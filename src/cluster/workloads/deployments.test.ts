import { afterEach, expect, test } from 'vitest';
import { type Body, itemsOf, startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const base = '/apis/apps/v1/namespaces/default';
const web = `${base}/deployments/web`;
const sets = `${base}/replicasets`;
const pods = '/api/v1/namespaces/default/pods';
const events = '/api/v1/namespaces/default/events';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' };
const image = (name: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } } });

async function deploy(spec: Body = {}): Promise<void> {
  running = await startWorkloadCluster();
  await running.send('POST', `${base}/deployments`, {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
      ...spec,
    },
  });
}

/** Acts as the kubelet until the deployment has this generation and reason, and returns it. */
async function untilProgress(generation: number, reason: string): Promise<Body> {
  const isDone = (body: Body): boolean => {
    const { status, metadata } = body as { readonly status: Body; readonly metadata: Body };
    const isObserved = metadata['generation'] === generation && status['observedGeneration'] === generation;
    const counts = ['replicas', 'updatedReplicas', 'availableReplicas'].map((count) => status[count]);
    return isObserved && counts.every((count) => count === 2) && JSON.stringify(status).includes(`"reason":"${reason}"`);
  };
  for (let round = 0; round < 100; round++) {
    for (const pod of itemsOf(await running.until(pods, () => true))) {
      const { metadata } = pod as { readonly metadata: Body };
      if (metadata['deletionTimestamp'] !== undefined)
        await running.send('DELETE', `${pods}/${metadata['name']}`, { gracePeriodSeconds: 0 });
      else if (!JSON.stringify(pod['status']).includes('"Ready"')) await running.makeReady(pod);
    }
    await running.clock.advance(200);
    const deployment = await running.until(web, () => true);
    if (isDone(deployment)) return deployment;
  }
  throw new Error(`not reached: ${reason}`);
}

const revisionOf = ({ metadata }: Body): unknown => ((metadata as Body)['annotations'] as Body)['deployment.kubernetes.io/revision'];

test('rolls out, updates, and reverts', async () => {
  await deploy();
  const { send, until } = running;
  const created = await untilProgress(1, 'NewReplicaSetAvailable');
  expect(created).toMatchObject({ status: { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 } });
  const [first] = itemsOf(await until(sets, () => true)) as readonly { readonly metadata: Body }[];
  expect(first?.metadata).toMatchObject({ name: 'web-bd4bc88c7', labels: { app: 'web', 'pod-template-hash': 'bd4bc88c7' } });
  await send('PATCH', web, image('nginx:1.28'), strategicPatch);
  const updated = await untilProgress(2, 'NewReplicaSetAvailable');
  expect(revisionOf(updated)).toBe('2');
  await send('PATCH', web, image('nginx:1.27'), strategicPatch);
  const reverted = await untilProgress(3, 'NewReplicaSetAvailable');
  expect(revisionOf(reverted)).toBe('3');
  const after = itemsOf(await until(sets, () => true)).map(({ metadata, spec }) => ({ ...(metadata as Body), ...(spec as Body) }) as Body);
  expect(after.map(({ replicas }) => replicas).sort()).toEqual([0, 2]);
  expect(after.find(({ replicas }) => replicas === 2)?.['annotations']).toMatchObject({ 'deployment.kubernetes.io/revision-history': '1' });
  const found = itemsOf(await until(events, () => true)).map(({ message }) => message);
  expect(found).toContain('Scaled up replica set web-bd4bc88c7 from 0 to 2');
});

test('creates the new pods after all old ones are deleted, with the strategy Recreate', async () => {
  await deploy({ strategy: { type: 'Recreate' } });
  const { send, until } = running;
  await untilProgress(1, 'NewReplicaSetAvailable');
  const [old] = itemsOf(await until(sets, () => true)) as readonly { readonly metadata: Body }[];
  await send('PATCH', web, image('nginx:1.28'), strategicPatch);
  await until(`${sets}/${old?.metadata['name']}`, ({ spec }) => (spec as Body)['replicas'] === 0);
  await untilProgress(2, 'NewReplicaSetAvailable');
  expect(itemsOf(await until(sets, () => true))).toHaveLength(2);
});

test('neither creates nor replaces pods while it is paused', async () => {
  await deploy({ paused: true });
  const { send, until } = running;
  await until(web, (body) => JSON.stringify(body['status']).includes('"DeploymentPaused"'));
  expect(itemsOf(await until(sets, () => true))).toEqual([]);
  await send('PATCH', web, { spec: { paused: false } }, mergePatch);
  await untilProgress(2, 'NewReplicaSetAvailable');
});

test('reports a rollout that does not progress', async () => {
  await deploy({ progressDeadlineSeconds: 5 });
  const { until } = running;
  const { status } = await until(web, (body) => JSON.stringify(body['status']).includes('"ProgressDeadlineExceeded"'));
  expect(status).toMatchObject({
    unavailableReplicas: 2,
    conditions: [
      { type: 'Available', status: 'False' },
      { type: 'Progressing', status: 'False' },
    ],
  });
});

test('uses another name when that of the new set is taken', async () => {
  await deploy({ replicas: 0 });
  const { send, until } = running;
  const [taken] = itemsOf(await until(sets, (body) => itemsOf(body).length === 1)) as readonly { readonly metadata: Body }[];
  const name = String(taken?.metadata['name']);
  await send('DELETE', web, { propagationPolicy: 'Orphan' });
  await send('PATCH', `${sets}/${name}`, image('busybox'), strategicPatch);
  await send('DELETE', `${sets}/${name}`);
  await until(`${sets}/${name}`, ({ kind }) => kind === 'Status');
  const labels = { app: 'other' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'busybox' }] } };
  await send('POST', sets, { metadata: { name, labels }, spec: { replicas: 0, selector: { matchLabels: labels }, template } });
  await send('PATCH', web, { metadata: { finalizers: null } }, mergePatch);
  await until(web, ({ kind }) => kind === 'Status');
  await send('POST', `${base}/deployments`, {
    metadata: { name: 'web' },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } },
    },
  });
  const { status } = await until(web, (body) => JSON.stringify(body['status'] ?? {}).includes('"collisionCount":1'));
  expect(status).toMatchObject({ collisionCount: 1 });
  await until(sets, (body) => itemsOf(body).length === 2);
});

test('rolls out a template that changes with the replicas, when a set has that size already', async () => {
  await deploy();
  await untilProgress(1, 'NewReplicaSetAvailable');
  const [set] = itemsOf(await running.until(sets, () => true)) as readonly { readonly metadata: Body }[];
  // As after a rollout that another controller has left halfway.
  const annotations = { 'deployment.kubernetes.io/desired-replicas': '3' };
  await running.send('PATCH', `${sets}/${set?.metadata['name']}`, { metadata: { annotations } }, mergePatch);
  await running.send('PATCH', web, image('nginx:1.28'), strategicPatch);
  await untilProgress(2, 'NewReplicaSetAvailable');
});
