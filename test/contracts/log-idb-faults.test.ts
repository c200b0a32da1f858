import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, expect, test, vi } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Random } from '../../src/env/index.ts';
import { type KeySpace, openIdbLogStore, openLogKeySpace } from '../../src/storage/index.ts';
import { rejection } from './contract.ts';
import { Journal } from './journal.ts';
import { record } from './recorder.ts';

afterEach(() => vi.restoreAllMocks());

async function open(factory: IDBFactory, damaged: 'refuse' | 'keep-intact' = 'refuse', log = createMemoryLog()): Promise<KeySpace> {
  const platform = { indexedDB: factory, IDBKeyRange: globalThis.IDBKeyRange };
  const store = await openIdbLogStore({ platform, name: 'faults', durability: 'relaxed' });
  return openLogKeySpace({ store, clock: createManualClock(), log, onDamage: damaged, tailLimit: { records: 4, characters: 400 } });
}

/** Lets a part of all `put`s fail: by a full disk, or by an abort when all seemed well. */
function disturb(random: Random): void {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args: Parameters<typeof put>) {
    const chance = random.integer(30);
    if (chance === 0) throw new DOMException('The disk is full.', 'QuotaExceededError');
    const request = put.apply(this, args);
    if (chance === 1) request.addEventListener('success', () => this.transaction.abort());
    return request;
  });
}

test('whenever a worker is left behind, all that was acknowledged is there and nothing that was refused', async () => {
  let acknowledged = 0;
  let failed = 0;
  for (let seed = 0; seed < 40; seed++) {
    const random = createSeededRandom(seed);
    const factory = new IDBFactory();
    const journal = new Journal(random);
    try {
      for (let life = 0; life < 4; life++) {
        const space = await open(factory);
        await journal.verify(space);
        disturb(random);
        // Left without a word: it is still writing when the next one opens.
        await journal.work(space, 15);
        vi.restoreAllMocks();
      }
      const last = await open(factory);
      // Those left behind are told before the last one is looked at.
      await journal.settled();
      await journal.verify(last);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    acknowledged += journal.acknowledged;
    failed += journal.failed;
  }
  expect(acknowledged).toBeGreaterThan(3000);
  expect(failed).toBeGreaterThan(100);
}, 120_000);

test('a full disk refuses writes as out of space until there is room, and reads go on', async () => {
  const space = await open(new IDBFactory());
  await space.commit({ key: 'a', expected: 'absent', value: '1' });
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  for (let attempt = 0; attempt < 3; attempt++) {
    expect((await rejection(space.commit({ key: 'b', expected: 'absent', value: '1' }))).code).toBe('out-of-space');
  }
  expect((await space.get('a'))?.value).toBe('1');
  expect(await space.revision()).toBe(2);
  full.mockRestore();
  expect((await space.commit({ key: 'b', expected: 'absent', value: '1' })).revision).toBe(3);
});

test('a full database is opened and read, and owned once there is room', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  await older.commit({ key: 'a', expected: 'absent', value: '1' });
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  const space = await open(factory);
  expect((await space.get('a'))?.value).toBe('1');
  expect((await rejection(space.commit({ key: 'b', expected: 'absent', value: '1' }))).code).toBe('out-of-space');
  full.mockRestore();
  expect((await space.commit({ key: 'b', expected: 'absent', value: '1' })).revision).toBe(3);
  expect((await rejection(older.commit({ key: 'c', expected: 'absent', value: 'older' }))).code).toBe('unavailable');
});

test('a full database that somebody else wrote to since it was read is theirs', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  const space = await open(factory);
  full.mockRestore();
  await older.commit({ key: 'a', expected: 'absent', value: 'older' });
  expect((await rejection(space.commit({ key: 'b', expected: 'absent', value: '1' }))).code).toBe('unavailable');
  expect((await older.commit({ key: 'b', expected: 'absent', value: 'older' })).revision).toBe(3);
});

test('a transaction that is aborted by a full disk at its end is out of space too', async () => {
  const space = await open(new IDBFactory());
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, ...args: Parameters<typeof put>) {
    const request = put.apply(this, args);
    request.addEventListener('success', () => {
      Object.defineProperty(this.transaction, 'error', { value: new DOMException('The disk is full.', 'QuotaExceededError') });
      this.transaction.abort();
    });
    return request;
  });
  expect((await rejection(space.commit({ key: 'a', expected: 'absent', value: '1' }))).code).toBe('out-of-space');
  expect((await space.commit({ key: 'a', expected: 'absent', value: '1' })).revision).toBe(2);
});

test('who opens the database takes it over: the older one writes no more and ends its watches', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  await older.commit({ key: 'a', expected: 'absent', value: '1' });
  const seen = await record(older, '', 2);
  const newer = await open(factory);
  expect((await rejection(older.commit({ key: 'b', expected: 'absent', value: 'older' }))).code).toBe('unavailable');
  expect(seen.failures.map((error) => error.code)).toEqual(['unavailable']);
  expect((await rejection(record(older, '', 2))).code).toBe('unavailable');
  expect((await older.get('a'))?.value).toBe('1');
  expect((await newer.commit({ key: 'b', expected: 'absent', value: 'newer' })).revision).toBe(3);
  await older.close();
  expect(seen.failures).toHaveLength(1);
});

test('a database that is deleted under a key space ends its watches', async () => {
  const factory = new IDBFactory();
  const space = await open(factory);
  const seen = await record(space, '', 1);
  await new Promise((resolve) => {
    factory.deleteDatabase('faults').onsuccess = resolve;
  });
  expect(seen.failures.map((error) => error.code)).toEqual(['unavailable']);
  expect((await rejection(space.commit({ key: 'a', expected: 'absent', value: '1' }))).code).toBe('unavailable');
});

test('a damaged record is refused with what is intact, and can be cut off', async () => {
  const factory = new IDBFactory();
  const space = await open(factory);
  for (const key of ['a', 'b', 'c']) await space.commit({ key, expected: 'absent', value: '1' });
  await space.close();
  await damage(factory, 'records', 2);
  const { code, error } = await rejection(open(factory));
  expect(code).toBe('corrupt');
  expect(String(error)).toBe('KeySpaceError: the log is damaged: record 2 of 3 is damaged or missing (intact: revisions up to 2, 1 keys)');
  const log = createMemoryLog();
  const kept = await open(factory, 'keep-intact', log);
  expect((await kept.range({ prefix: '' })).entries.map((entry) => entry.key)).toEqual(['a']);
  expect(log.lines.map((line) => line.event)).toEqual(['storage log damaged']);
  expect((await kept.commit({ key: 'd', expected: 'absent', value: '1' })).revision).toBe(3);
  await kept.close();
  expect(await (await open(factory)).revision()).toBe(3);
});

async function damage(factory: IDBFactory, storeName: string, key: IDBValidKey): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open('faults');
    request.onsuccess = () => resolve(request.result);
  });
  await new Promise((resolve) => {
    const tx = db.transaction(storeName, 'readwrite');
    tx.objectStore(storeName).put({ sum: 1, text: 'something else' }, key);
    tx.oncomplete = resolve;
  });
  db.close();
}
