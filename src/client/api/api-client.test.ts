import { afterEach, expect, test } from 'vitest';
import { startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import { corev1ConfigMaps, corev1Nodes, corev1Pods, rbacv1ClusterRoles } from '../../schema/api/index.ts';
import { ApiClient, ApiError, hasStatus } from './index.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

const signal = new AbortController().signal;

async function startClient(name: 'kubernetes' | 'svc' = 'kubernetes'): Promise<ApiClient> {
  const product = productByName(name);
  cluster = await startTestCluster({ product });
  return new ApiClient({ api: cluster.adminApi, product, signal });
}

test('creates, reads, changes and deletes objects', async () => {
  const configMaps = (await startClient()).resource(corev1ConfigMaps);
  const created = await configMaps.create({ metadata: { namespace: 'default', name: 'a', labels: { app: 'x' } }, data: { a: '1' } });
  const key = { namespace: 'default', name: 'a' };
  expect(await configMaps.get(key)).toEqual(created);
  const updated = await configMaps.update({ ...created, data: { a: '2' } }, { fieldManager: 'me' });
  expect(updated.data).toEqual({ a: '2' });
  await expect(configMaps.update({ ...created, data: {} })).rejects.toMatchObject({ status: 409, reason: 'Conflict' });
  expect((await configMaps.patch(key, 'merge', { data: { b: '3' } })).data).toEqual({ a: '2', b: '3' });
  expect((await configMaps.patch(key, 'json', [{ op: 'remove', path: '/data/b' }])).data).toEqual({ a: '2' });
  expect((await configMaps.apply({ metadata: key, data: { c: '4' } }, { fieldManager: 'other' })).data).toEqual({ a: '2', c: '4' });
  expect((await configMaps.list({ namespace: 'default', labelSelector: 'app=x' })).items.map(({ metadata }) => metadata.name)).toEqual([
    'a',
  ]);
  expect((await configMaps.list({ fieldSelector: 'metadata.name=b' })).items).toEqual([]);
  await expect(configMaps.delete(key, { preconditions: { uid: 'other' } })).rejects.toMatchObject({ status: 409 });
  await configMaps.delete(key);
  expect(await configMaps.getIfExists(key)).toBeUndefined();
});

test('writes a status', async () => {
  const client = await startClient();
  const nodes = client.resource(corev1Nodes);
  const created = await nodes.create({ metadata: { name: 'a' } });
  const addresses = [{ type: 'Hostname', address: 'a.example.com' }];
  const { status } = await nodes.updateStatus({ ...created, status: { ...created.status, addresses } });
  expect(status.addresses).toEqual(addresses);
});

test('throws the error of a response', async () => {
  const client = await startClient();
  const error = await client
    .resource(corev1Pods)
    .create({ metadata: { namespace: 'none', name: 'A' } })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(hasStatus(error, 404)).toBe(true);
  expect(error).toMatchObject({
    reason: 'NotFound',
    message: 'namespaces "none" not found',
    details: { name: 'none', kind: 'namespaces' },
  });
  expect(hasStatus(error, 403, 409)).toBe(false);
  expect(hasStatus(new Error('other'), 404)).toBe(false);
});

test('the error of a response without a Status has its text', async () => {
  await startClient();
  const api: ApiHandler = () => Promise.resolve({ status: 502, headers: [], body: 'bad gateway' });
  const client = new ApiClient({ api, product: productByName('kubernetes'), signal });
  await expect(client.send('GET', '/api')).rejects.toMatchObject({ status: 502, reason: '', message: '502 bad gateway' });
});

test('uses the names of the product', async () => {
  const roles = (await startClient('svc')).resource(rbacv1ClusterRoles);
  expect(roles.collectionPath()).toBe('/apis/rbac.authorization.svc/v1/clusterroles');
  const created = await roles.create({ metadata: { name: 'reader' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] });
  expect(created.apiVersion).toBe('rbac.authorization.svc/v1');
});

test('lists a large collection page by page', async () => {
  const client = await startClient();
  const configMaps = client.resource(corev1ConfigMaps);
  for (let index = 0; index < 1_001; index++) await configMaps.create({ metadata: { namespace: 'default', name: `a${index}` } });
  const before = cluster.traces.length;
  const { items, metadata } = await configMaps.list({ namespace: 'default' });
  expect(items).toHaveLength(1_001);
  expect(metadata.continue ?? '').toBe('');
  expect(cluster.traces.length - before).toBe(3);
});

test('reads a document again only when it has changed', async () => {
  const client = await startClient();
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const first = await client.readDocument('/apis', accept);
  expect(first.content).toMatchObject({ kind: 'APIGroupDiscoveryList' });
  expect(await client.readDocument('/apis', accept, first)).toBe(first);
  const other = await client.readDocument('/apis', accept, { ...first, etag: '"other"' });
  expect(other).toEqual(first);
  await expect(client.readDocument('/none', accept, first)).rejects.toMatchObject({ status: 404 });
});
