import { afterEach, expect, test } from 'vitest';
import { type Body, itemsOf, startWorkloadCluster, startWorkloadClusterWith, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

const pods = '/api/v1/namespaces/default/pods';
const events = '/api/v1/namespaces/default/events';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

const live = (body: Body): readonly Body[] => itemsOf(body).filter(({ metadata }) => (metadata as Body)['deletionTimestamp'] === undefined);
const messages = (body: Body): readonly string[] => itemsOf(body).map(({ reason, message }) => `${reason} ${message}`);

test.each([
  ['ReplicaSet', '/apis/apps/v1/namespaces/default/replicasets', { matchLabels: { app: 'web' } }],
  ['ReplicationController', '/api/v1/namespaces/default/replicationcontrollers', { app: 'web' }],
])('a %s has as many pods as desired', async (kind, target, selector) => {
  running = await startWorkloadCluster();
  const { send, until, makeReady } = running;
  await send('POST', target, { metadata: { name: 'web' }, spec: { replicas: 3, selector, template } });
  const created = await until(pods, (body) => itemsOf(body).length === 3);
  for (const pod of itemsOf(created)) {
    expect(pod['metadata']).toMatchObject({ generateName: 'web-', ownerReferences: [{ kind, name: 'web', controller: true }] });
    await makeReady(pod);
  }
  const counts = { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 };
  await until(`${target}/web`, ({ status }) => JSON.stringify(status) === JSON.stringify(counts));
  await send('PATCH', `${target}/web`, { spec: { replicas: 1 } }, mergePatch);
  await until(pods, (body) => live(body).length === 1);
  await until(`${target}/web`, ({ status }) => (status as Body)['replicas'] === 1);
  const found = messages(await until(events, (body) => itemsOf(body).length === 5)).map((message) => message.slice(0, -5));
  expect(found.sort()).toEqual([
    ...Array(3).fill('SuccessfulCreate Created pod: web-'),
    ...Array(2).fill('SuccessfulDelete Deleted pod: web-'),
  ]);
});

test('adopts a pod, and replaces one that is released', async () => {
  running = await startWorkloadCluster();
  const { send, until } = running;
  const target = '/apis/apps/v1/namespaces/default/replicasets';
  await send('POST', pods, { metadata: { name: 'own', labels: { app: 'web' } }, spec: template.spec });
  await send('POST', target, { metadata: { name: 'web' }, spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template } });
  await until(`${pods}/own`, ({ metadata }) => JSON.stringify(metadata).includes('"controller":true'));
  await send('PATCH', `${pods}/own`, { metadata: { labels: { app: 'other' } } }, mergePatch);
  await until(`${pods}/own`, ({ metadata }) => !JSON.stringify(metadata).includes('"controller":true'));
  await until(pods, (body) => itemsOf(body).length === 2);
});

test('reports that pods cannot be created', async () => {
  running = await startWorkloadCluster();
  const { send, until } = running;
  const target = '/apis/apps/v1/namespaces/default/replicasets';
  const broken = { ...template, spec: { ...template.spec, serviceAccountName: 'nobody' } };
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: broken };
  await send('POST', target, { metadata: { name: 'web' }, spec });
  const { status } = await until(`${target}/web`, (body) => JSON.stringify(body).includes('ReplicaFailure'));
  expect(status).toMatchObject({
    conditions: [{ reason: 'FailedCreate', message: expect.stringContaining('serviceaccount "nobody" not found') }],
  });
  expect(messages(await until(events, (body) => itemsOf(body).length > 0))[0]).toContain('FailedCreate Error creating: pods "web-');
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'nobody' } });
  await until(pods, (body) => itemsOf(body).length === 2);
  await until(`${target}/web`, (body) => !JSON.stringify(body).includes('ReplicaFailure'));
});

test.each([
  ['ReplicaSet', 'apps/v1/namespaces/default/replicasets', { replicas: 1 }],
  ['StatefulSet', 'apps/v1/namespaces/default/statefulsets', { replicas: 1, serviceName: 'web' }],
  ['Job', 'batch/v1/namespaces/default/jobs', {}],
])('a %s has a pod after five minutes, although no watch event has shown the one that it created before', async (_, target, spec) => {
  let created = 0;
  // The pod was deleted while the watch was interrupted.
  running = await startWorkloadClusterWith((api) => async (request) => {
    if (request.method !== 'POST' || request.target !== pods || created++ > 0) return api(request);
    return { status: 201, headers: [], body: JSON.stringify({ metadata: { name: 'web-0', namespace: 'default' } }) };
  });
  const { send, until, clock } = running;
  const isJob = target.includes('jobs');
  const podSpec = isJob ? { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } : template;
  const selector = isJob ? {} : { selector: { matchLabels: { app: 'web' } } };
  await send('POST', `/apis/${target}`, { metadata: { name: 'web' }, spec: { ...spec, ...selector, template: podSpec } });
  expect(itemsOf(await until(pods, () => created === 1))).toEqual([]);
  await clock.advance(290_000);
  await until(pods, (body) => itemsOf(body).length === 1);
});
