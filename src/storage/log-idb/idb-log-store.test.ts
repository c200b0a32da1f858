import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import type { LogStore } from '../log/log-store.ts';
import { openIdbLogStore } from './idb-log-store.ts';

function open(indexedDB: IDBFactory, durability: 'relaxed' | 'strict' = 'relaxed'): Promise<LogStore> {
  return openIdbLogStore({ platform: { indexedDB, IDBKeyRange: globalThis.IDBKeyRange }, name: 'log', durability });
}

test('what was appended is loaded in order', async () => {
  const factory = new IDBFactory();
  const store = await open(factory, 'strict');
  expect(await store.load()).toEqual({ chunks: [], records: [], damage: undefined });
  for (const record of ['one', 'two', '\ud800 three']) await store.append(record);
  await store.close();
  expect((await (await open(factory)).load()).records).toEqual(['one', 'two', '\ud800 three']);
});

test('a finished snapshot stands for what was appended before it began, and nothing else', async () => {
  const factory = new IDBFactory();
  const store = await open(factory);
  await store.load();
  await store.append('before');
  const snapshot = await store.beginSnapshot();
  await snapshot.add('chunk 1');
  await store.append('beside');
  await snapshot.add('chunk 2');
  await snapshot.finish();
  await store.append('after');
  expect(await (await open(factory)).load()).toEqual({ chunks: ['chunk 1', 'chunk 2'], records: ['beside', 'after'], damage: undefined });
});

test('chunks of snapshots that were never finished do not count', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  await older.load();
  const left = await older.beginSnapshot();
  await left.add('left 1');
  const newer = await open(factory);
  await newer.load();
  await newer.append('record');
  const abandoned = await newer.beginSnapshot();
  for (const chunk of ['abandoned 1', 'abandoned 2', 'abandoned 3']) await abandoned.add(chunk);
  await abandoned.abandon();
  const snapshot = await newer.beginSnapshot();
  await snapshot.add('chunk 1');
  // A worker that was taken over does not know it yet.
  await left.add('left 2');
  await snapshot.finish();
  await left.add('left 3');
  await expect(left.finish()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await (await open(factory)).load()).toEqual({ chunks: ['chunk 1'], records: [], damage: undefined });
});

/** As the browser's: a lock that is stolen is taken from whoever holds it, whose request fails. */
function createLocks(): Pick<LockManager, 'request'> {
  const holders = new Map<string, () => void>();
  const request = (name: string, _: LockOptions, hold: LockGrantedCallback<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      holders.get(name)?.();
      holders.set(name, () => reject(new DOMException('stolen', 'AbortError')));
      void Promise.resolve(hold(null)).then(resolve);
    });
  return { request: request as LockManager['request'] };
}

test('who opens the database takes it from the one before, who hears of it at once; one that was closed hears nothing', async () => {
  const platform = { indexedDB: new IDBFactory(), IDBKeyRange: globalThis.IDBKeyRange, navigator: { locks: createLocks() } };
  const told: string[] = [];
  const openAs = async (who: string): Promise<LogStore> => {
    const store = await openIdbLogStore({ platform, name: 'log', durability: 'relaxed', takenOver: () => told.push(who) });
    await store.load();
    return store;
  };
  const first = await openAs('first');
  await first.append('one');
  const second = await openAs('second');
  await Promise.resolve();
  expect(told).toEqual(['first']);
  await expect(first.append('two')).rejects.toMatchObject({ code: 'unavailable' });
  await second.append('three');
  await second.close();
  const third = await openAs('third');
  expect(told).toEqual(['first']);
  await third.close();
  expect((await (await open(platform.indexedDB)).load()).records).toEqual(['one', 'three']);
});

test('without locks the next write tells that the database was taken', async () => {
  const factory = new IDBFactory();
  let told = 0;
  const platform = { indexedDB: factory, IDBKeyRange: globalThis.IDBKeyRange };
  const older = await openIdbLogStore({ platform, name: 'log', durability: 'relaxed', takenOver: () => told++ });
  await older.load();
  await (await open(factory)).load();
  expect(told).toBe(0);
  await expect(older.append('late')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(older.append('later')).rejects.toMatchObject({ code: 'unavailable' });
  expect(told).toBe(1);
});

test('a state of another version is refused as corrupt', async () => {
  const factory = new IDBFactory();
  const store = await open(factory);
  await store.load();
  await store.close();
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open('log');
    request.onsuccess = () => resolve(request.result);
  });
  await new Promise((resolve) => {
    const tx = db.transaction('state', 'readwrite');
    tx.objectStore('state').put({ format: 2, owner: 1, generation: 0, begun: 0, covered: 0 }, 'state');
    tx.oncomplete = resolve;
  });
  db.close();
  await expect((await open(factory)).load()).rejects.toMatchObject({ code: 'corrupt' });
});
