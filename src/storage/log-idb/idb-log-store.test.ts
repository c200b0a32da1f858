import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import type { LogStore } from '../log/log-store.ts';
import { openIdbLogStore } from './idb-log-store.ts';

function open(indexedDB: IDBFactory, durability: 'relaxed' | 'strict' = 'relaxed'): Promise<LogStore> {
  return openIdbLogStore({ platform: { indexedDB, IDBKeyRange: globalThis.IDBKeyRange }, name: 'log', durability });
}

test('loads records in the order of their appends', async () => {
  const factory = new IDBFactory();
  const store = await open(factory, 'strict');
  expect(await store.load()).toEqual({ chunks: [], records: [], damage: undefined });
  for (const record of ['one', 'two', '\ud800 three']) await store.append(record);
  await store.close();
  expect((await (await open(factory)).load()).records).toEqual(['one', 'two', '\ud800 three']);
});

test('replaces exactly the records appended before the snapshot started', async () => {
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

test('ignores chunks of unfinished snapshots', async () => {
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
  // The old worker has not noticed the takeover yet.
  await left.add('left 2');
  await snapshot.finish();
  await left.add('left 3');
  await expect(left.finish()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await (await open(factory)).load()).toEqual({ chunks: ['chunk 1'], records: [], damage: undefined });
});

/** Web Locks: a stolen lock makes the request of its holder fail; other requests wait until it is free. */
function createLocks(untilNotified: Promise<void> = Promise.resolve()): Pick<LockManager, 'request'> {
  const holders = new Map<string, { readonly left: Promise<void>; readonly fail: () => void }>();
  const request = async (name: string, { steal }: LockOptions, hold: LockGrantedCallback<void>): Promise<void> => {
    const holder = holders.get(name);
    if (steal) void untilNotified.then(() => holder?.fail());
    return new Promise((resolve, reject) => {
      const waited = steal ? undefined : holder?.left;
      const left = waited ? waited.then(() => hold(null)) : Promise.resolve(hold(null));
      holders.set(name, { left, fail: () => reject(new DOMException('stolen', 'AbortError')) });
      void left.then(resolve);
    });
  };
  return { request: request as LockManager['request'] };
}

test('takes over from the previous owner, which is notified at once unless it was closed', async () => {
  const platform = { indexedDB: new IDBFactory(), IDBKeyRange: globalThis.IDBKeyRange, navigator: { locks: createLocks() } };
  const notified: string[] = [];
  const openAs = async (owner: string): Promise<LogStore> => {
    const store = await openIdbLogStore({ platform, name: 'log', durability: 'relaxed', onTakenOver: () => notified.push(owner) });
    await store.load();
    return store;
  };
  const first = await openAs('first');
  await first.append('one');
  const second = await openAs('second');
  await Promise.resolve();
  expect(notified).toEqual(['first']);
  await expect(first.append('two')).rejects.toMatchObject({ code: 'unavailable' });
  await second.append('three');
  await second.close();
  const third = await openAs('third');
  expect(notified).toEqual(['first']);
  await third.close();
  expect((await (await open(platform.indexedDB)).load()).records).toEqual(['one', 'three']);
});

test('reads a database that is too full to be claimed after the previous owner was notified', async () => {
  let notify = (): void => {};
  const untilNotified = new Promise<void>((resolve) => {
    notify = resolve;
  });
  const platform = { indexedDB: new IDBFactory(), IDBKeyRange: globalThis.IDBKeyRange, navigator: { locks: createLocks(untilNotified) } };
  const first = await openIdbLogStore({ platform, name: 'log', durability: 'relaxed' });
  await first.load();
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  const second = await openIdbLogStore({ platform, name: 'log', durability: 'relaxed' });
  const loading = second.load();
  await expect.poll(() => full.mock.calls.length).toBe(1);
  await first.append('before it has heard');
  notify();
  expect((await loading).records).toEqual(['before it has heard']);
  await expect(first.append('after')).rejects.toMatchObject({ code: 'unavailable' });
  await second.append('of the second');
  await second.close();
  expect((await (await open(platform.indexedDB)).load()).records).toEqual(['before it has heard', 'of the second']);
  full.mockRestore();
});

test('notices a takeover at the next write without locks', async () => {
  const factory = new IDBFactory();
  let notified = 0;
  const platform = { indexedDB: factory, IDBKeyRange: globalThis.IDBKeyRange };
  const older = await openIdbLogStore({ platform, name: 'log', durability: 'relaxed', onTakenOver: () => notified++ });
  await older.load();
  await (await open(factory)).load();
  expect(notified).toBe(0);
  await expect(older.append('late')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(older.append('later')).rejects.toMatchObject({ code: 'unavailable' });
  expect(notified).toBe(1);
});

test('rejects the state or database of a newer version, and leaves it unchanged', async () => {
  const factory = new IDBFactory();
  const store = await open(factory);
  await store.load();
  await store.close();
  const newer = { format: 2, owner: 1, generation: 0, begun: 0, covered: 0 };
  await changeState(factory, 1, newer);
  const message = 'the data was written by a newer version: its format is 2, this version reads up to 1';
  await expect((await open(factory)).load()).rejects.toMatchObject({ code: 'newer-format', message });
  expect(await changeState(factory, 2, newer)).toEqual(newer);
  await expect(open(factory)).rejects.toMatchObject({ code: 'newer-format' });
});

test('rejects a state without its numbers as corrupt', async () => {
  const factory = new IDBFactory();
  const store = await open(factory);
  await store.load();
  await store.close();
  await changeState(factory, 1, { format: 1 });
  await expect((await open(factory)).load()).rejects.toMatchObject({ code: 'corrupt' });
});

/** @returns the previous value */
async function changeState(factory: IDBFactory, version: number, state: object): Promise<unknown> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open('log', version);
    request.onsuccess = () => resolve(request.result);
  });
  const before = await new Promise((resolve) => {
    const tx = db.transaction('state', 'readwrite');
    const reading = tx.objectStore('state').get('state');
    tx.objectStore('state').put(state, 'state');
    tx.oncomplete = () => resolve(reading.result);
  });
  db.close();
  return before;
}
