import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, expect, test, vi } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Random } from '../../src/env/index.ts';
import { type KeySpace, openIdbLogStore, openLogKeySpace } from '../../src/storage/index.ts';
import { getRejection } from './contract.ts';
import { recordWatch } from './watch-recorder.ts';
import { WriteJournal } from './write-journal.ts';

afterEach(() => vi.restoreAllMocks());

async function open(factory: IDBFactory, onDamage: 'refuse' | 'retain-intact' = 'refuse', log = createMemoryLog()): Promise<KeySpace> {
  const platform = { indexedDB: factory, IDBKeyRange: globalThis.IDBKeyRange };
  const store = await openIdbLogStore({ platform, name: 'faults', durability: 'relaxed' });
  return openLogKeySpace({ store, clock: createManualClock(), log, onDamage, tailLimit: { records: 4, characters: 400 } });
}

/** Makes some `put`s fail: with a full disk, or by an abort after their success. */
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

test('after a worker is replaced at any time every acknowledged write exists and no rejected one', async () => {
  let acknowledged = 0;
  let failed = 0;
  for (let seed = 0; seed < 40; seed++) {
    const random = createSeededRandom(seed);
    const factory = new IDBFactory();
    const journal = new WriteJournal(random);
    try {
      for (let worker = 0; worker < 4; worker++) {
        const space = await open(factory);
        await journal.verify(space);
        disturb(random);
        // Not closed: it is still writing when the next one opens.
        await journal.runWrites(space, 15);
        vi.restoreAllMocks();
      }
      const last = await open(factory);
      // The writes of replaced workers settle before the last one is checked.
      await journal.waitUntilSettled();
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

test('writes to a full disk fail as out of space until space is free, reads succeed', async () => {
  const space = await open(new IDBFactory());
  await space.commit({ key: 'a', expected: 'absent', value: '1' });
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  for (let attempt = 0; attempt < 3; attempt++) {
    expect((await getRejection(space.commit({ key: 'b', expected: 'absent', value: '1' }))).code).toBe('out-of-space');
  }
  expect((await space.get('a'))?.value).toBe('1');
  expect(await space.revision()).toBe(2);
  full.mockRestore();
  expect((await space.commit({ key: 'b', expected: 'absent', value: '1' })).revision).toBe(3);
});

test('a full database is opened and read, and owned once space is free', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  await older.commit({ key: 'a', expected: 'absent', value: '1' });
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  const space = await open(factory);
  expect((await space.get('a'))?.value).toBe('1');
  expect((await getRejection(space.commit({ key: 'b', expected: 'absent', value: '1' }))).code).toBe('out-of-space');
  full.mockRestore();
  expect((await space.commit({ key: 'b', expected: 'absent', value: '1' })).revision).toBe(3);
  expect((await getRejection(older.commit({ key: 'c', expected: 'absent', value: 'older' }))).code).toBe('unavailable');
});

test('a full database that another worker has written to since it was read belongs to that worker', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  const space = await open(factory);
  full.mockRestore();
  await older.commit({ key: 'a', expected: 'absent', value: 'older' });
  expect((await getRejection(space.commit({ key: 'b', expected: 'absent', value: '1' }))).code).toBe('unavailable');
  expect((await older.commit({ key: 'b', expected: 'absent', value: 'older' })).revision).toBe(3);
});

test('a transaction that a full disk aborts at its end fails as out of space', async () => {
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
  expect((await getRejection(space.commit({ key: 'a', expected: 'absent', value: '1' }))).code).toBe('out-of-space');
  expect((await space.commit({ key: 'a', expected: 'absent', value: '1' })).revision).toBe(2);
});

test('opening the database takes it over: the older space writes no more and ends its watches', async () => {
  const factory = new IDBFactory();
  const older = await open(factory);
  await older.commit({ key: 'a', expected: 'absent', value: '1' });
  const recorder = await recordWatch(older, '', 2);
  const newer = await open(factory);
  expect((await getRejection(older.commit({ key: 'b', expected: 'absent', value: 'older' }))).code).toBe('unavailable');
  expect(recorder.failures.map((error) => error.code)).toEqual(['unavailable']);
  expect((await getRejection(recordWatch(older, '', 2))).code).toBe('unavailable');
  expect((await older.get('a'))?.value).toBe('1');
  expect((await newer.commit({ key: 'b', expected: 'absent', value: 'newer' })).revision).toBe(3);
  await older.close();
  expect(recorder.failures).toHaveLength(1);
});

test('a database that is deleted under a key space ends its watches', async () => {
  const factory = new IDBFactory();
  const space = await open(factory);
  const recorder = await recordWatch(space, '', 1);
  await new Promise((resolve) => {
    factory.deleteDatabase('faults').onsuccess = resolve;
  });
  expect(recorder.failures.map((error) => error.code)).toEqual(['unavailable']);
  expect((await getRejection(space.commit({ key: 'a', expected: 'absent', value: '1' }))).code).toBe('unavailable');
});

test('a damaged record fails with the intact part, and can be cut off', async () => {
  const factory = new IDBFactory();
  const space = await open(factory);
  for (const key of ['a', 'b', 'c']) await space.commit({ key, expected: 'absent', value: '1' });
  await space.close();
  await damage(factory, 'records', 2);
  const { code, error } = await getRejection(open(factory));
  expect(code).toBe('corrupt');
  expect(String(error)).toBe('KeySpaceError: the log is damaged: record 2 of 3 is damaged or missing (intact: revisions up to 2, 1 keys)');
  const log = createMemoryLog();
  const intact = await open(factory, 'retain-intact', log);
  expect((await intact.range({ prefix: '' })).entries.map((entry) => entry.key)).toEqual(['a']);
  expect(log.lines.map((line) => line.event)).toEqual(['storage log damaged']);
  expect((await intact.commit({ key: 'd', expected: 'absent', value: '1' })).revision).toBe(3);
  await intact.close();
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
