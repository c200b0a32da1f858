import { afterEach, expect, test } from 'vitest';
import { bodyOf, passTime } from '../test-cluster.test-support.ts';
import { startWorkloadCluster, type WorkloadCluster } from './workload.test-support.ts';

let running: WorkloadCluster;
afterEach(() => running.close());

async function started(): Promise<WorkloadCluster> {
  running = await startWorkloadCluster('garbage-collector-controller');
  await settle();
  return running;
}

const settle = (seconds = 3): Promise<void> => passTime(running.clock, seconds);

const configMaps = '/api/v1/namespaces/default/configmaps';
const holding = { finalizers: ['example.com/hold'] };

async function create(name: string, owners: readonly object[] = [], more: object = {}): Promise<string> {
  const body = { metadata: { name, ownerReferences: owners, ...more } };
  const { metadata } = bodyOf(await running.send('POST', configMaps, body)) as { metadata: { uid: string } };
  return metadata.uid;
}

const ownedBy = (name: string, uid: string, more: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...more });
const remove = (name: string, propagationPolicy: string) => running.send('DELETE', `${configMaps}/${name}`, { propagationPolicy });

async function namesLeft(): Promise<readonly string[]> {
  const { items } = bodyOf(await running.send('GET', configMaps)) as { items: readonly { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

async function release(name: string): Promise<void> {
  await running.send(
    'PATCH',
    `${configMaps}/${name}`,
    { metadata: { finalizers: null } },
    { 'content-type': 'application/merge-patch+json' },
  );
}

test('deletes dependents after their owner in the background, unless another owner exists', async () => {
  await started();
  const a = await create('a');
  const b = await create('b');
  const child = await create('child', [ownedBy('a', a)]);
  await create('grandchild', [ownedBy('child', child)]);
  await create('shared', [ownedBy('a', a), ownedBy('b', b)]);
  await settle();
  await remove('a', 'Background');
  await settle();
  expect(await namesLeft()).toEqual(['b', 'shared']);
  const { metadata } = bodyOf(await running.send('GET', `${configMaps}/shared`)) as { metadata: { ownerReferences: readonly object[] } };
  expect(metadata.ownerReferences).toEqual([ownedBy('b', b)]);
});

test('deletes an object whose owner never existed, or exists in another namespace, and reports the latter', async () => {
  const { send } = await started();
  const { metadata } = bodyOf(await send('GET', '/api/v1/namespaces/default')) as { metadata: { uid: string } };
  const elsewhere = bodyOf(await send('POST', '/api/v1/namespaces/kube-system/configmaps', { metadata: { name: 'far' } }));
  await create('absent', [ownedBy('nobody', '11111111-2222-3333-4444-555555555555')]);
  await create('wrong', [ownedBy('far', (elsewhere['metadata'] as { uid: string }).uid)]);
  await create('in-namespace', [{ apiVersion: 'v1', kind: 'Namespace', name: 'default', uid: metadata.uid }]);
  await create('unknown-kind', [{ apiVersion: 'example.com/v1', kind: 'Nothing', name: 'x', uid: 'x' }]);
  await settle();
  expect(await namesLeft()).toEqual(['in-namespace', 'unknown-kind']);
  const events = JSON.stringify(bodyOf(await send('GET', '/api/v1/namespaces/default/events')));
  expect(events).toContain('OwnerRefInvalidNamespace');
  expect(events).toContain('ownerRef [v1/ConfigMap, namespace: default, name: far, uid: ');
});

test('a foreground deletion waits for the dependents that block it', async () => {
  await started();
  const owner = await create('owner');
  await create('blocking', [ownedBy('owner', owner, { blockOwnerDeletion: true })], holding);
  await create('other', [ownedBy('owner', owner)], holding);
  await settle();
  await remove('owner', 'Foreground');
  await settle();
  expect(await namesLeft()).toEqual(['blocking', 'other', 'owner']);
  await release('blocking');
  await settle();
  expect(await namesLeft()).toEqual(['other']);
});

test('a foreground deletion of a cycle of owners completes', async () => {
  const { send } = await started();
  const a = await create('a');
  const b = await create('b', [ownedBy('a', a, { blockOwnerDeletion: true })]);
  const patch = { metadata: { ownerReferences: [ownedBy('b', b, { blockOwnerDeletion: true })] } };
  await send('PATCH', `${configMaps}/a`, patch, { 'content-type': 'application/merge-patch+json' });
  await settle();
  await remove('a', 'Foreground');
  await settle(5);
  expect(await namesLeft()).toEqual([]);
});

test('orphans lose their reference before the owner is deleted', async () => {
  const { send } = await started();
  const owner = await create('owner');
  await create('child', [ownedBy('owner', owner)]);
  await settle();
  await remove('owner', 'Orphan');
  await settle();
  expect(await namesLeft()).toEqual(['child']);
  expect(bodyOf(await send('GET', `${configMaps}/child`))['metadata']).not.toHaveProperty('ownerReferences');
});

test('collects custom resources once their definition is discovered', async () => {
  const { send } = await started();
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  const names = { plural: 'boxes', kind: 'Box', singular: 'box' };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version] };
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'boxes.example.com' }, spec });
  await settle(35);
  const boxes = '/apis/example.com/v1/namespaces/default/boxes';
  const box = { apiVersion: 'example.com/v1', kind: 'Box' };
  const { metadata } = bodyOf(await send('POST', boxes, { ...box, metadata: { name: 'a' } })) as { metadata: { uid: string } };
  const owner = { ...box, name: 'a', uid: metadata.uid };
  await send('POST', boxes, { ...box, metadata: { name: 'b', ownerReferences: [owner] } });
  const orphan = { ...box, metadata: { name: 'c', ownerReferences: [owner, ownedBy('nobody', 'x')] } };
  await send('POST', boxes, orphan);
  await settle();
  expect((bodyOf(await send('GET', `${boxes}/c`))['metadata'] as { ownerReferences: object }).ownerReferences).toEqual([owner]);
  await send('DELETE', `${boxes}/a`, { propagationPolicy: 'Background' });
  await settle();
  expect((bodyOf(await send('GET', boxes))['items'] as readonly object[]).length).toBe(0);
});
