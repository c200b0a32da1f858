import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../env/index.ts';
import { createFeatureGates, formatTime, productByName } from '../meta/index.ts';
import { createCatalog, type Resource } from '../schema/index.ts';
import { createMemoryKeySpace } from '../storage/index.ts';
import type { WriteContext } from './create.ts';
import { deleteObject, propagationFinalizers } from './delete.ts';
import { ObjectStore } from './object-store.ts';
import type { Strategy } from './strategy.ts';

const object = (finalizers: readonly string[]) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x', finalizers } });
const product = productByName('kubernetes');
const strategy = (garbageCollected: boolean): Strategy => ({ garbageCollected, orphansByDefault: false }) as Strategy;

test('removes propagation finalizers of kinds that the garbage collector ignores, whatever the requested policy', () => {
  const present = object(['foregroundDeletion', 'example.com/f']);
  expect(propagationFinalizers(present, { propagationPolicy: 'Orphan' }, strategy(false))).toEqual(['example.com/f']);
  expect(propagationFinalizers(present, { propagationPolicy: 'Orphan' }, strategy(true))).toEqual(['example.com/f', 'orphan']);
});

const clock = createManualClock();
const random = createSeededRandom(1);

const contextNow = (): WriteContext => ({
  env: { clock, random, log: createMemoryLog() },
  product,
  gates: createFeatureGates(),
  random,
  now: formatTime(clock.nowMs()),
  requester: { username: '', uid: '', groups: [], extra: {} },
  subresource: '',
  dryRun: false,
  requestId: undefined,
  pause: () => undefined,
  warn: () => {},
});

test('does not replace the deletionTimestamp by an earlier one when another request marked the object meanwhile', async () => {
  const store = new ObjectStore(createMemoryKeySpace(clock), { nameCorrupt: false });
  const resource = createCatalog(product).resource('v1', 'configmaps') as Resource;
  const ref = { resource, namespace: 'ns', name: 'x' };
  const input = { ref, options: {}, strategy: { ...strategy(true), deleteReturnsObject: true }, admit: () => Promise.resolve() };
  await store.create(ref, object(['example.com/f']), undefined);
  const earlier = contextNow();
  await clock.advance(1000);
  const marked = await deleteObject(store, input, contextNow());
  expect(marked.answer.metadata).toMatchObject({ deletionTimestamp: contextNow().now });
  expect((await deleteObject(store, input, earlier)).answer).toEqual(marked.answer);
});
