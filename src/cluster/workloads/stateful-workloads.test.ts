import { afterEach, expect, test } from 'vitest';
import { type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';
import { bodyOf as recordOf } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const bodyOf = (response: Parameters<typeof recordOf>[0]): JsonObject => recordOf(response) as JsonObject;

async function started(): Promise<WorkloadCluster> {
  running = await startWorkloadCluster();
  return running;
}

const until = (target: string, isDone: (body: JsonObject) => boolean): Promise<JsonObject> =>
  running.until(target, (body) => isDone(body as JsonObject), { steps: 2_000 }) as Promise<JsonObject>;

const pods = '/api/v1/namespaces/default/pods';
const merge = { 'content-type': 'application/merge-patch+json' };
const template = (image: string) => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } });
const exists = ({ kind }: JsonObject): boolean => kind !== 'Status';

/** The status of a pod as the kubelet writes it. */
async function makeReady(name: string): Promise<void> {
  const lastTransitionTime = new Date(running.clock.nowMs()).toISOString();
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] };
  expect((await running.send('PATCH', `${pods}/${name}/status`, { status }, merge)).status).toBe(200);
}

/** A node without the taint that the server gives it until it is ready. */
async function joinNode(name: string): Promise<void> {
  await running.send('POST', '/api/v1/nodes', { metadata: { name } });
  await running.send('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } }, merge);
}

async function events(): Promise<readonly string[]> {
  const { clock, send } = running;
  for (let round = 0; round < 20; round++) await clock.advance(100);
  const list = bodyOf(await send('GET', '/api/v1/namespaces/default/events'));
  return objectsAt(list, 'items').map((event) => `${textAt(event, 'reason')}: ${textAt(event, 'message')}`);
}

test('creates the pods of a stateful set in order, with claims, and replaces them from the highest on', async () => {
  const { send } = await started();
  const sets = '/apis/apps/v1/namespaces/default/statefulsets';
  const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
  const spec = { serviceName: 'db', replicas: 2, selector: { matchLabels: { app: 'x' } }, volumeClaimTemplates: [claim] };
  await send('POST', sets, { metadata: { name: 'db' }, spec: { ...spec, template: template('a') } });
  const first = await until(`${pods}/db-0`, exists);
  expect(first).toMatchObject({ spec: { hostname: 'db-0', subdomain: 'db' } });
  expect(exists(bodyOf(await send('GET', '/api/v1/namespaces/default/persistentvolumeclaims/data-db-0')))).toBe(true);
  expect(exists(bodyOf(await send('GET', `${pods}/db-1`)))).toBe(false);
  await makeReady('db-0');
  const second = await until(`${pods}/db-1`, exists);
  await makeReady('db-1');
  const { status } = await until(`${sets}/db`, (set) => recordAt(set, 'status')['availableReplicas'] === 2);
  const before = recordAt({ status: status ?? null }, 'status');
  expect(before).toMatchObject({ replicas: 2, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2, collisionCount: 0 });

  await send('PATCH', `${sets}/db`, { spec: { template: template('b') } }, merge);
  const replaced = await until(`${pods}/db-1`, (pod) => exists(pod) && textAt(recordAt(pod, 'metadata'), 'uid') !== uidOf(second));
  expect(JSON.stringify(replaced)).toContain('"image":"b"');
  expect(uidOf(bodyOf(await send('GET', `${pods}/db-0`)))).toBe(uidOf(first));
  await makeReady('db-1');
  await until(`${pods}/db-0`, (pod) => exists(pod) && uidOf(pod) !== uidOf(first));
  await makeReady('db-0');
  const after = await until(`${sets}/db`, (set) => {
    const { currentRevision, updateRevision } = recordAt(set, 'status');
    return currentRevision === updateRevision;
  });
  expect(recordAt(after, 'status')['currentRevision']).not.toBe(before['currentRevision']);
  const revisions = bodyOf(await send('GET', '/apis/apps/v1/namespaces/default/controllerrevisions'));
  expect(objectsAt(revisions, 'items').map(({ revision }) => revision)).toEqual(expect.arrayContaining([1, 2]));
  expect(await events()).toEqual(
    expect.arrayContaining([
      'SuccessfulCreate: create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'SuccessfulCreate: create Pod db-0 in StatefulSet db successful',
      'SuccessfulDelete: delete Pod db-1 in StatefulSet db successful',
    ]),
  );
});

test('scales a stateful set down from the highest pod on, and adopts pods of its name', async () => {
  const { send } = await started();
  const sets = '/apis/apps/v1/namespaces/default/statefulsets';
  await send('POST', pods, { ...template('a'), metadata: { name: 'db-0', labels: { app: 'x' } } });
  const orphan = bodyOf(await send('GET', `${pods}/db-0`));
  const spec = { serviceName: 'db', replicas: 3, podManagementPolicy: 'Parallel', selector: { matchLabels: { app: 'x' } } };
  await send('POST', sets, { metadata: { name: 'db' }, spec: { ...spec, template: template('a') } });
  await until(`${pods}/db-2`, exists);
  const adopted = await until(`${pods}/db-0`, (pod) => JSON.stringify(pod).includes('"StatefulSet"'));
  expect(uidOf(adopted)).toBe(uidOf(orphan));
  await send('PATCH', `${sets}/db`, { spec: { replicas: 1 } }, merge);
  const { items } = await until(pods, (list) => objectsAt(list, 'items').length === 1);
  expect(JSON.stringify(items)).toContain('"name":"db-0"');
});

test('runs a pod of a daemon set on each eligible node', async () => {
  const { send } = await started();
  const sets = '/apis/apps/v1/namespaces/default/daemonsets';
  await joinNode('a');
  await send('POST', sets, { metadata: { name: 'agent' }, spec: { selector: { matchLabels: { app: 'x' } }, template: template('a') } });
  const { items } = await until(pods, (list) => objectsAt(list, 'items').length === 1);
  expect(JSON.stringify(items)).toContain('"matchFields":[{"key":"metadata.name","operator":"In","values":["a"]}]');
  await joinNode('b');
  await until(pods, (list) => objectsAt(list, 'items').length === 2);
  const { status } = await until(`${sets}/agent`, (set) => recordAt(set, 'status')['currentNumberScheduled'] === 2);
  expect(status).toMatchObject({ desiredNumberScheduled: 2, numberReady: 0, numberUnavailable: 2, updatedNumberScheduled: 2 });
  await send('PATCH', `${sets}/agent`, { spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } } }, merge);
  await until(pods, (list) => objectsAt(list, 'items').length === 0);
  const revisions = bodyOf(await send('GET', '/apis/apps/v1/namespaces/default/controllerrevisions'));
  expect(objectsAt(revisions, 'items')).toHaveLength(2);
  const recorded = (await events()).map((event) => event.replace(/-[a-z0-9]{5}$/, '-*'));
  expect(recorded).toEqual(expect.arrayContaining(['SuccessfulCreate: Created pod: agent-*', 'SuccessfulDelete: Deleted pod: agent-*']));
});

test('leaves a revision that a client creates for a daemon set until the set is synced', async () => {
  const { send, clock } = await started();
  const [sets, revisions] = ['/apis/apps/v1/namespaces/default/daemonsets', '/apis/apps/v1/namespaces/default/controllerrevisions'];
  await send('POST', sets, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { app: 'x' } }, template: template('a') } });
  const [first] = objectsAt(await until(revisions, (list) => objectsAt(list, 'items').length === 1), 'items');
  await until(`${sets}/d`, ({ status }) => recordAt({ status: status ?? null }, 'status')['observedGeneration'] === 1);
  const { ownerReferences, labels } = recordAt(first ?? {}, 'metadata');
  const metadata = { name: 'd-2', labels: labels ?? {}, ownerReferences: ownerReferences ?? [] };
  await send('POST', revisions, { metadata, data: first?.['data'] ?? null, revision: 2 });
  for (let second = 0; second < 10; second++) await clock.advance(1_000);
  expect(objectsAt(bodyOf(await send('GET', revisions)), 'items')).toHaveLength(2);
  // Any change of the set removes the duplicate.
  await send('PATCH', `${sets}/d`, { metadata: { labels: { a: 'b' } } }, merge);
  await until(revisions, (list) => objectsAt(list, 'items').length === 1);
});

test('replaces a failed pod of a daemon set', async () => {
  const { send } = await started();
  const sets = '/apis/apps/v1/namespaces/default/daemonsets';
  await joinNode('a');
  await send('POST', sets, { metadata: { name: 'agent' }, spec: { selector: { matchLabels: { app: 'x' } }, template: template('a') } });
  const [pod = {}] = objectsAt(await until(pods, (list) => objectsAt(list, 'items').length === 1), 'items');
  const name = textAt(recordAt(pod, 'metadata'), 'name');
  await send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Failed' } }, merge);
  await until(pods, (list) => objectsAt(list, 'items').some((other) => uidOf(other) !== uidOf(pod)));
  expect(await events()).toContain(`FailedDaemonPod: Found failed daemon pod default/${name} on node a, will try to kill it`);
});

test('grants evictions within a disruption budget', async () => {
  const { send } = await started();
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  for (const name of ['a', 'b']) {
    await send('POST', pods, { ...template('a'), metadata: { name, labels: { app: 'x' } } });
    await makeReady(name);
  }
  await send('POST', budgets, { metadata: { name: 'budget' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } });
  const { status } = await until(`${budgets}/budget`, (budget) => recordAt(budget, 'status')['disruptionsAllowed'] === 1);
  expect(status).toMatchObject({ currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, observedGeneration: 1 });
  const evict = (name: string) =>
    send('POST', `${pods}/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  expect((await evict('a')).status).toBe(201);
  await until(`${budgets}/budget`, (budget) => recordAt(budget, 'status')['currentHealthy'] === 1);
  expect((await evict('b')).status).toBe(429);
});

test('reports a controller without a scale in the status of a disruption budget', async () => {
  const { send } = await started();
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  await joinNode('a');
  await send('POST', '/apis/apps/v1/namespaces/default/daemonsets', {
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: { app: 'x' } }, template: template('a') },
  });
  await until(pods, (list) => objectsAt(list, 'items').length === 1);
  await send('POST', budgets, { metadata: { name: 'budget' }, spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'x' } } } });
  const { status } = await until(`${budgets}/budget`, (budget) => JSON.stringify(budget).includes('SyncFailed'));
  expect(status).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ status: 'False', reason: 'SyncFailed', message: 'daemonsets.apps does not implement the scale subresource' }],
  });
});

function uidOf(body: JsonObject): string {
  return textAt(recordAt(body, 'metadata'), 'uid');
}
