import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { corev1ConfigMaps, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from './library-cluster.ts';

const clock = createManualClock();
const start = (settings: ClusterSettings): Promise<Cluster> =>
  createLibraryCluster({ clock, random: createSeededRandom(1), log: createMemoryLog() }, createMemoryKeySpace, settings);

test('stores audit events according to the policy, and emits new ones', async () => {
  const auditPolicy =
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: [admin]}]\nomitStages: [RequestReceived]';
  const cluster = await start({ names: 'kubernetes', auditPolicy });
  const uris: string[] = [];
  cluster.audit.onEvent(({ requestUri }) => uris.push(requestUri));
  for (const authorization of ['Bearer admin-token', 'Bearer nobody'])
    await cluster.fetch('http://c.test/version', { headers: { authorization } });
  expect(uris).toEqual(['/version']);
  expect(cluster.audit.events).toMatchObject([{ stage: 'ResponseComplete', user: { username: 'admin' }, responseStatus: { code: 200 } }]);
  await cluster.close();
});

test('a typed client has the rights of its token', async () => {
  const cluster = await start({ tokens: 'a,admin,u-admin,"system:masters"\nb,bob,u-bob' });
  const key = { namespace: 'default', name: 'a' };
  const created = await cluster
    .client('a')
    .resource(corev1ConfigMaps)
    .create({ metadata: key, data: { a: '1' } });
  expect(await cluster.client('a').resource(corev1ConfigMaps).get(key)).toEqual(created);
  await expect(cluster.client('b').resource(corev1ConfigMaps).get(key)).rejects.toMatchObject({ status: 403, reason: 'Forbidden' });
  await expect(cluster.client('c').resource(corev1ConfigMaps).get(key)).rejects.toMatchObject({ status: 401 });
  const aborted = cluster.client('a', AbortSignal.abort(new Error('stopped'))).resource(corev1ConfigMaps);
  await expect(aborted.get(key)).rejects.toThrow('stopped');
  await cluster.close();
});

test('fetch rejects with the reason of an aborted signal', async () => {
  const cluster = await start({});
  const headers = { authorization: 'Bearer admin-token' };
  const before = cluster.fetch('http://c.test/api/v1/namespaces', { headers, signal: AbortSignal.abort(new Error('before')) });
  await expect(before).rejects.toThrow('before');
  const controller = new AbortController();
  const during = cluster.fetch('http://c.test/api/v1/namespaces', { headers, signal: controller.signal });
  controller.abort(new Error('during'));
  await expect(during).rejects.toThrow('during');
  await cluster.close();
});

test('moves the time of a cluster with nodes', async () => {
  const real = { ...clock, nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)) };
  const env = { clock: real, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, { controllers: true, nodes: 2, clock: 'virtual' });
  const client = cluster.client('admin-token');
  await cluster.advance(1_000);
  expect((await client.resource(corev1Nodes).list()).items.map(({ metadata }) => metadata.name)).toEqual(['node-1', 'node-2']);
  const pods = client.resource(corev1Pods);
  const key = { namespace: 'default', name: 'task' };
  const container = { name: 'c', image: 'busybox', command: ['sleep', '600'] };
  await pods.create({ metadata: key, spec: { nodeName: 'node-2', restartPolicy: 'Never', containers: [container] } });
  const elapsedMs = await cluster.runUntilIdle();
  expect((await pods.get(key)).status.phase).toBe('Running');
  expect(elapsedMs).toBeLessThan(60_000);
  await cluster.advance(600_000);
  expect((await pods.get(key)).status.phase).toBe('Succeeded');
  await cluster.close();
});

test('a container runs the programs of its image, and its log can be read', async () => {
  const real = { ...clock, nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)) };
  const env = { clock: real, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, {
    names: 'kubernetes',
    controllers: true,
    nodes: 1,
    clock: 'virtual',
  });
  const pods = cluster.client('admin-token').resource(corev1Pods);
  await cluster.advance(5_000);
  const container = { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo hello from $HOSTNAME'] };
  await pods.create({ metadata: { namespace: 'default', name: 'task' }, spec: { restartPolicy: 'Never', containers: [container] } });
  await cluster.runUntilIdle();
  const headers = { authorization: 'Bearer admin-token' };
  const log = await cluster.fetch('http://c.test/api/v1/namespaces/default/pods/task/log', { headers });
  expect(await log.text()).toBe('hello from task\n');
  expect((await pods.get({ namespace: 'default', name: 'task' })).status.phase).toBe('Succeeded');
  await cluster.close();
});

test('the real clock cannot be moved', async () => {
  const cluster = await start({});
  await expect(cluster.advance(1)).rejects.toThrow("only a cluster with clock: 'virtual' can move its time");
  await expect(cluster.runUntilIdle()).rejects.toThrow('virtual');
  await cluster.close();
});

test('the scheduler follows a KubeSchedulerConfiguration, and an invalid one is refused', async () => {
  const schedulerConfig = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: own}]';
  const settings = { names: 'kubernetes', controllers: true, nodes: 1, clock: 'virtual' } as const;
  const real = { ...clock, nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)) };
  const env = { clock: real, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, { ...settings, schedulerConfig });
  const pods = cluster.client('admin-token').resource(corev1Pods);
  const create = (name: string, schedulerName: string): Promise<unknown> =>
    pods.create({ metadata: { name, namespace: 'default' }, spec: { schedulerName, containers: [{ name: 'c', image: 'nginx' }] } });
  await cluster.advance(5_000);
  await create('mine', 'own');
  await create('other', 'default-scheduler');
  await cluster.advance(5_000);
  const nodeOf = async (name: string): Promise<unknown> => (await pods.get({ namespace: 'default', name })).spec.nodeName;
  expect([await nodeOf('mine'), await nodeOf('other')]).toEqual(['node-1', undefined]);
  await cluster.close();
  await expect(start({ ...settings, schedulerConfig: 'kind: Pod' })).rejects.toThrow("Object 'apiVersion' is missing in 'kind: Pod'");
});
