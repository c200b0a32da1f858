import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, type ManualClock } from '../../src/env/index.ts';
import {
  type Commit,
  createCompactor,
  type KeySpace,
  KeySpaceError,
  openLogKeySpace,
  type TimedKeySpace,
} from '../../src/storage/index.ts';
import { create, remove, update } from './actions.ts';
import { rejection } from './contract.ts';
import { ManualLogStore } from './manual-log-store.ts';
import { record } from './recorder.ts';

const log = createMemoryLog();

function open(store: ManualLogStore, clock: ManualClock = createManualClock(1000), records = 1000, lines = log): Promise<TimedKeySpace> {
  return openLogKeySpace({ store, clock, log: lines, onDamage: 'refuse', tailLimit: { records, characters: 1024 } });
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

test('writes of one turn share a record, and what arrives while it is on its way shares the next', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  const release = store.hold();
  const first = ['a', 'b', 'c'].map((key) => create(space, key));
  await turns();
  const second = ['d', 'e'].map((key) => create(space, key));
  await turns();
  const third = create(space, 'f');
  await turns();
  expect(store.appends).toBe(1);
  release();
  await Promise.all([...first, ...second, third]);
  expect(store.records.map((text) => JSON.parse(text).writes.map(([key]: [string]) => key))).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ]);
});

test('reads and watches see only what is durable', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  const seen = await record(space, '', 1);
  const release = store.hold();
  const written = create(space, 'a', '1', 'request');
  await turns();
  expect([await space.get('a'), await space.revision(), await space.findCommit('request'), seen.changes]).toEqual([
    undefined,
    1,
    undefined,
    [],
  ]);
  release();
  const commit = await written;
  expect([await space.get('a'), await space.revision(), await space.findCommit('request'), seen.changes]).toEqual([
    commit.entry,
    2,
    commit,
    [commit],
  ]);
});

test('writes of one group build upon each other', async () => {
  const space = await open(new ManualLogStore());
  const results = await Promise.allSettled([
    space.commit({ key: 'a', expected: 'absent', value: '1' }),
    space.commit({ key: 'a', expected: 'absent', value: '2' }),
    space.commit({ key: 'a', expected: 2, value: '3' }),
    space.commit({ key: 'a', expected: 3, value: undefined }),
    space.commit({ key: 'a', expected: 'absent', value: '4' }),
  ]);
  const told = results.map((result) => (result.status === 'fulfilled' ? result.value.revision : result.reason.code));
  expect(told).toEqual([2, 'revision-changed', 3, 4, 5]);
  expect((await space.get('a'))?.createRevision).toBe(5);
});

test('a writer is refused because of a write on its way only when that is durable', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  store.failure = new KeySpaceError('out-of-space', 'full');
  const codes = await Promise.all([rejection(create(space, 'a', '1')), rejection(create(space, 'a', '2'))]);
  expect(codes.map(({ code }) => code)).toEqual(['out-of-space', 'out-of-space']);
  store.failure = undefined;
  expect((await create(space, 'a', '3')).revision).toBe(2);
});

test('a store that fails without a reason is unavailable, each write tries anew, reads go on', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  await create(space, 'a');
  store.failure = new Error('something');
  expect((await rejection(create(space, 'b'))).code).toBe('unavailable');
  expect((await rejection(create(space, 'b'))).code).toBe('unavailable');
  expect(store.appends).toBe(3);
  expect((await space.range({ prefix: '' })).count).toBe(1);
  store.failure = undefined;
  expect((await create(space, 'b')).revision).toBe(3);
});

/** A space with as many keys as its store has room for. */
async function openFull(): Promise<{ readonly store: ManualLogStore; readonly space: TimedKeySpace; readonly keys: readonly string[] }> {
  const store = new ManualLogStore();
  [store.capacity, store.reserve] = [20_000, 8000];
  const space = await open(store, createManualClock(1000), 10, createMemoryLog());
  const keys: string[] = [];
  for (;;) {
    const key = `k${keys.length}`;
    const failure = await create(space, key, 'x'.repeat(400)).then(
      () => undefined,
      (error: KeySpaceError) => error.code,
    );
    if (failure === 'out-of-space') return { store, space, keys };
    keys.push(key);
  }
}

test('a full store takes deletes and compactions, and refuses what needs space', async () => {
  const { space, keys } = await openFull();
  const revision = await space.revision();
  const results = await Promise.allSettled([
    create(space, 'new', 'x'.repeat(400)),
    space.commit({ key: 'k0', expected: 2, value: undefined }),
    space.commit({ key: 'k1', expected: 3, value: 'y'.repeat(401) }),
    // Decided upon the update, which does not happen: then it is right.
    space.commit({ key: 'k1', expected: 3, value: undefined }),
    space.commit({ key: 'k2', expected: 3, value: undefined }),
    space.compact(revision),
  ]);
  expect(results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code))).toEqual([
    'out-of-space',
    'done',
    'out-of-space',
    'done',
    'revision-changed',
    'done',
  ]);
  expect((await space.range({ prefix: '' })).count).toBe(keys.length - 2);
  expect(await space.revision()).toBe(revision + 2);
  expect(await space.compactedRevision()).toBeGreaterThanOrEqual(revision);
});

test('a full store has space again once enough was deleted, without waiting for the age of what was', async () => {
  const { store, space, keys } = await openFull();
  const left = keys.slice(0, 10);
  for (const key of keys.slice(10)) await remove(space, key);
  await turns();
  expect((await create(space, 'new')).entry?.value).toBeDefined();
  await space.close();
  const again = await open(store);
  expect((await again.range({ prefix: '' })).entries.map(({ key }) => key)).toEqual([...left, 'new'].sort());
});

test('a full store that is compacted knows young requests, also after a restart, until they are compacted by their age', async () => {
  const { store, space, keys } = await openFull();
  const [first = '', ...others] = keys;
  const current = (await space.get(first))?.revision ?? 0;
  const { revision } = await space.commit({ key: first, expected: current, value: undefined, requestId: 'request' });
  for (const key of others.slice(10)) await remove(space, key);
  await turns();
  const known = { requestId: 'request', key: first, revision, timeMs: 1000, isCompacted: true };
  expect(await space.compactedRevision()).toBeGreaterThan(revision);
  expect(await space.findCommit('request')).toEqual(known);
  const repeated = { key: first, expected: 'absent', value: 'v', requestId: 'request' } as const;
  expect((await rejection(space.commit(repeated))).code).toBe('unavailable');
  await space.close();
  expect(store.chunks[0]).toContain('"requests"');
  const again = await open(store);
  expect(await again.findCommit('request')).toEqual(known);
  await again.compact((await create(again, 'new')).revision);
  expect(await again.findCommit('request')).toBeUndefined();
});

test('a delete that finds the reserve taken by a snapshot waits for that', async () => {
  const { store, space, keys } = await openFull();
  const release = store.holdSnapshots();
  const begun = store.begunSnapshots;
  for (const key of keys.slice(0, -1)) if (store.begunSnapshots === begun) await remove(space, key);
  store.capacity = 0;
  const waiting = remove(space, keys.at(-1) ?? '');
  await turns();
  store.capacity = 20_000;
  release();
  expect((await waiting).entry).toBeUndefined();
  expect(store.snapshots).toBeGreaterThan(0);
});

test('when the store is lost watches fail once, reads go on and writes are refused', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  await create(space, 'a');
  const seen = await record(space, '', 1);
  store.lose(new KeySpaceError('unavailable', 'gone'));
  expect(seen.failures.map((error) => error.code)).toEqual(['unavailable']);
  expect((await rejection(record(space, '', 2))).code).toBe('unavailable');
  expect((await rejection(create(space, 'b'))).code).toBe('unavailable');
  expect((await space.get('a'))?.revision).toBe(2);
  await space.close();
  expect(seen.failures).toHaveLength(1);
});

test('a snapshot is written beside the writes, and a compaction waits for it', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 3);
  const release = store.holdSnapshots();
  for (let index = 0; index < 10; index++) await create(space, `k${index}`);
  await turns();
  expect([store.snapshots, store.records.length]).toEqual([0, 10]);
  const compacted = space.compact(11);
  await turns();
  expect(await space.compactedRevision()).toBe(1);
  expect((await create(space, 'beside')).revision).toBe(12);
  release();
  await compacted;
  expect(await space.compactedRevision()).toBe(11);
  expect(store.snapshots).toBeGreaterThan(0);
  const before = await space.range({ prefix: '' });
  await space.close();
  expect(await (await open(store)).range({ prefix: '' })).toEqual(before);
  expect(log.lines.filter((line) => line.event === 'storage snapshot failed')).toEqual([]);
});

test('closing finishes what was accepted, and leaves a snapshot in the making', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 3);
  const releaseSnapshots = store.holdSnapshots();
  for (let index = 0; index < 5; index++) await create(space, `k${index}`);
  const release = store.hold();
  const last = create(space, 'last');
  const closed = space.close();
  expect((await rejection(create(space, 'late'))).code).toBe('closed');
  expect(space.close()).toBe(closed);
  await turns();
  expect(store.isClosed).toBe(false);
  release();
  releaseSnapshots();
  await closed;
  expect((await last).revision).toBe(7);
  expect([store.isClosed, store.snapshots]).toEqual([true, 0]);
  expect(await (await open(store)).revision()).toBe(7);
});

test('an hour of updates of a hundred keys leaves few entries, in memory and in the store', async () => {
  const store = new ManualLogStore();
  const clock = createManualClock(0);
  const space = await open(store, clock);
  const compactor = createCompactor({ keySpace: space, clock, log, retentionMs: 60_000 });
  const revisions: (number | 'absent')[] = Array.from({ length: 100 }, () => 'absent');
  for (let round = 0; round < 1000; round++) {
    const commits: Promise<Commit>[] = revisions.map((expected, index) =>
      space.commit({ key: `k${index}`, expected, value: `round ${round}` }),
    );
    for (const [index, commit] of (await Promise.all(commits)).entries()) revisions[index] = commit.revision;
    await clock.advance(3600);
    if (round % 10 === 0) await compactor.compact();
  }
  await compactor.compact();
  await turns();
  const [compacted, revision] = [await space.compactedRevision(), await space.revision()];
  expect(revision).toBe(100_001);
  // A minute of 3.6 s rounds: what was written since, of a hundred keys.
  expect(revision - compacted).toBeLessThanOrEqual(1700);
  const stored = [...store.chunks, ...store.records].join('').length;
  expect(stored).toBeLessThan(300_000);
  await space.close();
  const again = await open(store, clock);
  expect((await again.range({ prefix: '' })).entries.map((entry) => entry.value)).toEqual(Array.from({ length: 100 }, () => 'round 999'));
}, 30_000);

test('the times of revisions survive a restart, so history goes on to be kept by age', async () => {
  const store = new ManualLogStore();
  const clock = createManualClock(1000);
  let space: KeySpace & TimedKeySpace = await open(store, clock, 2);
  for (const key of ['a', 'b', 'c', 'd']) {
    await create(space, key);
    await clock.advance(1000);
  }
  await turns();
  await space.close();
  space = await open(store, clock, 2);
  const found = [];
  for (const timeMs of [999, 1000, 2500, 4000, 9000]) found.push(await space.revisionAt(timeMs));
  expect(found).toEqual([1, 2, 3, 5, 5]);
  expect(await createCompactor({ keySpace: space, clock, log, retentionMs: 2500 }).compact()).toBe(3);
});

test('a snapshot keeps requests, deletes and old revisions', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 4);
  const made = await create(space, 'a', '1', 'request-1');
  await update(space, 'a', '2');
  const gone = await remove(space, 'a');
  await create(space, 'b', '"quoted"\n');
  await create(space, 'c');
  await turns();
  expect([store.snapshots, store.records.length]).toEqual([1, 0]);
  await space.close();
  const again = await open(store);
  expect(await again.findCommit('request-1')).toEqual(made);
  expect((await record(again, 'a', 3)).changes).toEqual([gone]);
  expect((await again.get('a', 3))?.value).toBe('2');
  expect((await again.get('b'))?.value).toBe('"quoted"\n');
});

test('what the store gives back is refused when it is not a log', async () => {
  const texts = [
    '{',
    '[]',
    '{"format":"2","first":2}',
    '{"format":1}',
    '{"format":1,"first":3,"timeMs":1,"writes":[["a","1"]]}',
    '{"format":1,"first":2,"timeMs":1,"writes":[[1,"1"]]}',
  ];
  for (const text of texts) {
    const store = new ManualLogStore();
    store.records = ['{"format":1,"first":2,"timeMs":1,"writes":[]}', text];
    expect((await rejection(open(store))).code, text).toBe('corrupt');
    expect(store.isClosed).toBe(true);
  }
});

test.each(['refuse', 'keep-intact'] as const)(
  'what a newer version wrote is refused and left as it is, whatever becomes of damage (%s)',
  async (damaged) => {
    const newer = '{"format":3,"first":2}';
    const kept = '{"format":1,"first":2,"timeMs":1,"writes":[["a","1"]]}';
    const header = '{"format":1,"compacted":1,"revision":1,"entries":0}';
    for (const [chunks, records] of [
      [[], [kept, newer]],
      [[newer], []],
      [[header, newer], [kept]],
    ] as const) {
      const store = new ManualLogStore();
      store.chunks = [...chunks];
      store.records = [...records];
      const { code, error } = await rejection(openLogKeySpace({ store, clock: createManualClock(), log, onDamage: damaged }));
      expect([code, String(error)]).toEqual(['newer-format', expect.stringContaining('its format is 3, this version reads up to 2')]);
      expect([store.chunks, store.records, store.isClosed]).toEqual([chunks, records, true]);
    }
  },
);

test('a snapshot that lost a chunk is refused, telling what is left', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 2);
  for (let index = 0; index < 5; index++) await create(space, `k${index}`);
  await space.compact(6);
  await create(space, 'l');
  await turns();
  await space.close();
  store.chunks = store.chunks.filter((chunk) => !chunk.includes('"entries":['));
  const { error } = await rejection(open(store));
  expect(String(error)).toContain('the snapshot has 0 of its');
});
