import { expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { type ApiObject, productByName } from '../meta/index.ts';
import { createCatalog, type Resource } from '../schema/index.ts';
import { createMemoryKeySpace } from '../storage/index.ts';
import { ObjectStore } from './object-store.ts';
import { UnversionedObject } from './stored-object.ts';

const configMaps = createCatalog(productByName('kubernetes')).resource('v1', 'configmaps') as Resource;
const ref = { resource: configMaps, namespace: 'ns', name: 'a' };
const object: ApiObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { labels: { a: 'b' }, uid: 'u', name: 'a' }, data: { k: 'v' } };

test('the stored text begins with the identity of the object, followed by an empty resourceVersion', () => {
  const next = new UnversionedObject(object);
  expect(next.text).toContain('"metadata":{"name":"a","uid":"u","resourceVersion":"","labels":');
  expect(JSON.stringify(next.withRevision(7))).toBe(next.text.replace('"resourceVersion":""', '"resourceVersion":"7"'));
});

test('returns a copy for another revision', () => {
  const next = new UnversionedObject(object);
  const [first, second] = [next.withRevision(7), next.withRevision(8)];
  expect([first.metadata.resourceVersion, second.metadata.resourceVersion]).toEqual(['7', '8']);
});

test('a watcher that is notified before the writer gets the same object', async () => {
  const keySpace = createMemoryKeySpace(createManualClock());
  const store = new ObjectStore(keySpace, { nameCorrupt: false });
  const received: ApiObject[] = [];
  await keySpace.watch({
    prefix: '/registry/',
    after: 0,
    deliver: (changes) => {
      for (const { entry } of changes) if (entry) received.push(store.storedObjectOf(entry).object);
    },
    onError: (error) => {
      throw error;
    },
  });
  const stored = await store.create(ref, object, undefined);
  expect(received[0]).toBe(stored.object);
  expect(stored.object.metadata.resourceVersion).toBe(String(stored.entry.revision));
  expect(JSON.parse(stored.text)).toEqual(stored.object);
});

test('encodes an object like JSON.stringify, and stops when the text is too long', () => {
  const odd: ApiObject = { ...object, spec: undefined, list: [1, '<'] };
  expect(new UnversionedObject(odd).text).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u","resourceVersion":"","labels":{"a":"b"}},"data":{"k":"v"},"list":[1,"\\u003c"]}',
  );
  const lengths: number[] = [];
  const refuse = (length: number): void => {
    lengths.push(length);
    if (length > 50) throw new RangeError('too long');
  };
  expect(() => new UnversionedObject(object, refuse)).toThrow('too long');
  expect(lengths.at(-1)).toBeLessThan(new UnversionedObject(object).text.length);
});
