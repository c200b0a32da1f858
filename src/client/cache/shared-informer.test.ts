import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { type corev1, corev1ConfigMaps } from '../../schema/api/index.ts';
import { ApiClient } from '../api/index.ts';
import { answer, createScriptedApi, stream } from '../client.fake.ts';
import { type EventHandler, InformerFactory, splitCacheKey } from './index.ts';

type ConfigMap = corev1.ConfigMap;

const object = (name: string, resourceVersion: number, uid = name): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { namespace: 'default', name, uid, resourceVersion: `${resourceVersion}` },
});
const list = (resourceVersion: number, ...items: readonly object[]) =>
  answer(200, JSON.stringify({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: `${resourceVersion}` }, items }));
const event = (type: string, changed: object): string => `${JSON.stringify({ type, object: changed })}\n`;
const expired = answer(410, JSON.stringify({ kind: 'Status', code: 410 }));

function recordCalls(calls: string[]): EventHandler<ConfigMap> {
  const shown = ({ metadata }: ConfigMap): string => `${metadata.name}@${metadata.resourceVersion}`;
  return {
    onAdd: (added) => calls.push(`add ${shown(added)}`),
    onUpdate: (updated, old) => calls.push(`update ${shown(old)} ${shown(updated)}`),
    onDelete: (deleted) => calls.push(`delete ${shown(deleted)}`),
  };
}

async function settle(clock: ReturnType<typeof createManualClock>): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
}

test('delivers the changes of the cache, also those between two lists', async () => {
  const { handle, requests } = createScriptedApi([
    list(5, object('a', 1), object('b', 2), object('c', 3)),
    answer(200, stream(event('ADDED', object('d', 6)), event('MODIFIED', object('a', 7)), event('DELETED', object('b', 8)))),
    expired,
    list(20, object('a', 7), object('c', 15), object('d', 16, 'new')),
  ]);
  const ending = new AbortController();
  const clock = createManualClock();
  const client = new ApiClient({ api: handle, product: productByName('kubernetes'), signal: ending.signal });
  const informers = new InformerFactory(client, clock, ending.signal);
  const informer = informers.informer(corev1ConfigMaps, { namespace: 'default' });
  const calls: string[] = [];
  informer.addHandler(recordCalls(calls));
  expect(informer.hasSynced).toBe(false);
  await settle(clock);
  expect(informer.hasSynced).toBe(true);
  expect(calls).toEqual([
    'add a@1',
    'add b@2',
    'add c@3',
    'add d@6',
    'update a@1 a@7',
    'delete b@8',
    'update c@3 c@15',
    'delete d@6',
    'add d@16',
  ]);
  const late: string[] = [];
  informer.addHandler(recordCalls(late));
  expect(late).toEqual(['add a@7', 'add c@15', 'add d@16']);
  expect(informer.store.get('default/c')?.metadata.resourceVersion).toBe('15');
  expect(informers.informer(corev1ConfigMaps, { namespace: 'default' })).toBe(informer);
  expect(informers.informer(corev1ConfigMaps)).not.toBe(informer);
  expect(requests[0]?.target).toBe('/api/v1/namespaces/default/configmaps?limit=500');
  ending.abort();
});

test('adds the type to the items of a list', async () => {
  const { handle } = createScriptedApi([list(5, { metadata: { namespace: 'default', name: 'a', resourceVersion: '1' } })]);
  const ending = new AbortController();
  const client = new ApiClient({ api: handle, product: productByName('kubernetes'), signal: ending.signal });
  const informer = new InformerFactory(client, createManualClock(), ending.signal).informer(corev1ConfigMaps);
  await informer.synced;
  expect(informer.store.get('default/a')).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  ending.abort();
});

test('splits keys', () => {
  expect([splitCacheKey('default/a'), splitCacheKey('node')]).toEqual([
    { namespace: 'default', name: 'a' },
    { namespace: '', name: 'node' },
  ]);
});
