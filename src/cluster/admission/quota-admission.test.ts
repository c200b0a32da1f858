import { afterEach, expect, test } from 'vitest';
import { clusterDefaults } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const base = '/api/v1/namespaces/default';

async function createQuota(hard: Readonly<Record<string, string>>, spec: object = {}): Promise<void> {
  const { send } = running;
  await send('POST', `${base}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...spec } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  await send('PATCH', `${base}/resourcequotas/q/status`, { status: { hard, used } }, { 'content-type': 'application/merge-patch+json' });
}

const usedOf = async () => (bodyOf(await running.send('GET', `${base}/resourcequotas/q`))['status'] as { used: unknown }).used;
const messageOf = async (path: string, body: object) => bodyOf(await running.send('POST', path, body))['message'];

test('new objects are charged to the quotas of their namespace, and rejected over the limit', async () => {
  running = await startTestCluster();
  await createQuota({ configmaps: '3', 'services.nodeports': '1' });
  const create = (name: string) => messageOf(`${base}/configmaps`, { metadata: { name } });
  expect(await Promise.all(['a', 'b', 'c'].map(create))).toEqual([undefined, undefined, undefined]);
  expect(await usedOf()).toEqual({ configmaps: '3', 'services.nodeports': '0' });
  expect(await create('d')).toBe(
    'configmaps "d" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=3, limited: configmaps=3',
  );
  const dry = await running.send('POST', `${base}/services?dryRun=All`, {
    metadata: { name: 's' },
    spec: { type: 'NodePort', ports: [{ port: 1 }] },
  });
  expect([dry.status, await usedOf()]).toEqual([201, { configmaps: '3', 'services.nodeports': '0' }]);
});

test('pods must specify what a quota limits', async () => {
  running = await startTestCluster({ admission: { ...clusterDefaults.admission, disabled: ['ServiceAccount'] } });
  await createQuota({ 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2' });
  const pod = (resources?: object) => ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', resources }] } });
  expect(await messageOf(`${base}/pods`, pod())).toBe(
    'pods "p" is forbidden: failed quota: q: must specify limits.cpu for: c; requests.cpu for: c; requests.memory for: c',
  );
  const amounts = { requests: { cpu: '600m', memory: '1Mi' }, limits: { cpu: '1' } };
  expect(await messageOf(`${base}/pods`, pod(amounts))).toBeUndefined();
  expect(await usedOf()).toEqual({ 'limits.cpu': '1', 'requests.cpu': '600m', 'requests.memory': '1Mi' });
  expect(await messageOf(`${base}/pods`, { ...pod(amounts), metadata: { name: 'b' } })).toBe(
    'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  );
});

test('a quota that its controller has not observed is not enforced', async () => {
  running = await startTestCluster();
  await running.send('POST', `${base}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { configmaps: '0' } } });
  expect(await messageOf(`${base}/configmaps`, { metadata: { name: 'a' } })).toBeUndefined();
});

test('objects are rejected while the usage of a limited amount is unknown', async () => {
  running = await startTestCluster();
  await createQuota({ services: '5', 'services.nodeports': '5' });
  const used = { 'services.nodeports': null };
  await running.send('PATCH', `${base}/resourcequotas/q/status`, { status: { used } }, { 'content-type': 'application/merge-patch+json' });
  expect(await messageOf(`${base}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } })).toBe(
    'services "s" is forbidden: status unknown for quota: q, resources: services,services.nodeports',
  );
});

const mergePatch = { 'content-type': 'application/merge-patch+json' };

test('a resize of a pod is charged to the quotas', async () => {
  running = await startTestCluster({ admission: { ...clusterDefaults.admission, disabled: ['ServiceAccount'] } });
  await createQuota({ 'requests.cpu': '1' });
  const container = (cpu: string) => ({ name: 'c', image: 'i', resources: { requests: { cpu } } });
  await running.send('POST', `${base}/pods`, { metadata: { name: 'p' }, spec: { containers: [container('600m')] } });
  const resize = async (cpu: string) =>
    bodyOf(await running.send('PATCH', `${base}/pods/p/resize`, { spec: { containers: [container(cpu)] } }, mergePatch))['message'];
  expect(await resize('800m')).toBeUndefined();
  expect(await usedOf()).toEqual({ 'requests.cpu': '800m' });
  expect(await resize('1100m')).toBe(
    'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=300m, used: requests.cpu=800m, limited: requests.cpu=1',
  );
});

test('a pod that comes into the scope of a quota by an update is charged to it', async () => {
  running = await startTestCluster({ admission: { ...clusterDefaults.admission, disabled: ['ServiceAccount'] } });
  await createQuota({ pods: '1' }, { scopes: ['Terminating'] });
  const create = (name: string) =>
    running.send('POST', `${base}/pods`, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  const limit = async (name: string) =>
    bodyOf(await running.send('PATCH', `${base}/pods/${name}`, { spec: { activeDeadlineSeconds: 5 } }, mergePatch))['message'];
  await create('a');
  await create('b');
  expect(await usedOf()).toEqual({ pods: '0' });
  expect([await limit('a'), await usedOf()]).toEqual([undefined, { pods: '1' }]);
  expect(await limit('b')).toBe('pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1');
});

test('the status of a claim is charged, also over the limit', async () => {
  running = await startTestCluster();
  await createQuota({ 'requests.storage': '2Gi' });
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await running.send('POST', `${base}/persistentvolumeclaims`, { metadata: { name: 'p' }, spec: claim });
  const status = { allocatedResources: { storage: '3Gi' } };
  const answer = await running.send('PATCH', `${base}/persistentvolumeclaims/p/status`, { status }, mergePatch);
  expect([answer.status, await usedOf()]).toEqual([200, { 'requests.storage': '3Gi' }]);
});
