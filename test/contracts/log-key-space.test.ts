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
import { getRejection } from './contract.ts';
import { ManualLogStore } from './manual-log-store.ts';
import { recordWatch } from './watch-recorder.ts';

const log = createMemoryLog();

function open(store: ManualLogStore, clock: ManualClock = createManualClock(1000), records = 1000, lines = log): Promise<TimedKeySpace> {
  return openLogKeySpace({ store, clock, log: lines, onDamage: 'refuse', tailLimit: { records, characters: 1024 } });
}

async function runMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}

test('writes of one event-loop turn share a record, writes during its append share the next one', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  const release = store.hold();
  const first = ['a', 'b', 'c'].map((key) => create(space, key));
  await runMicrotasks();
  const second = ['d', 'e'].map((key) => create(space, key));
  await runMicrotasks();
  const third = create(space, 'f');
  await runMicrotasks();
  expect(store.appends).toBe(1);
  release();
  await Promise.all([...first, ...second, third]);
  expect(store.records.map((text) => JSON.parse(text).writes.map(([key]: [string]) => key))).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ]);
});

test('reads and watches return only durable changes', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  const recorder = await recordWatch(space, '', 1);
  const release = store.hold();
  const written = create(space, 'a', '1', 'request');
  await runMicrotasks();
  expect([await space.get('a'), await space.revision(), await space.findCommit('request'), recorder.changes]).toEqual([
    undefined,
    1,
    undefined,
    [],
  ]);
  release();
  const commit = await written;
  expect([await space.get('a'), await space.revision(), await space.findCommit('request'), recorder.changes]).toEqual([
    commit.entry,
    2,
    commit,
    [commit],
  ]);
});

test('each write of a group is based on the previous one', async () => {
  const space = await open(new ManualLogStore());
  const results = await Promise.allSettled([
    space.commit({ key: 'a', expected: 'absent', value: '1' }),
    space.commit({ key: 'a', expected: 'absent', value: '2' }),
    space.commit({ key: 'a', expected: 2, value: '3' }),
    space.commit({ key: 'a', expected: 3, value: undefined }),
    space.commit({ key: 'a', expected: 'absent', value: '4' }),
  ]);
  const outcomes = results.map((result) => (result.status === 'fulfilled' ? result.value.revision : result.reason.code));
  expect(outcomes).toEqual([2, 'revision-changed', 3, 4, 5]);
  expect((await space.get('a'))?.createRevision).toBe(5);
});

test('a pending write causes a conflict only after it is durable', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  store.failure = new KeySpaceError('out-of-space', 'full');
  const codes = await Promise.all([getRejection(create(space, 'a', '1')), getRejection(create(space, 'a', '2'))]);
  expect(codes.map(({ code }) => code)).toEqual(['out-of-space', 'out-of-space']);
  store.failure = undefined;
  expect((await create(space, 'a', '3')).revision).toBe(2);
});

test('a store that fails without a reason is unavailable, each write retries, reads succeed', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  await create(space, 'a');
  store.failure = new Error('something');
  expect((await getRejection(create(space, 'b'))).code).toBe('unavailable');
  expect((await getRejection(create(space, 'b'))).code).toBe('unavailable');
  expect(store.appends).toBe(3);
  expect((await space.range({ prefix: '' })).count).toBe(1);
  store.failure = undefined;
  expect((await create(space, 'b')).revision).toBe(3);
});

/** A space with as many keys as fit into its store. */
async function openFull(): Promise<{
  readonly store: ManualLogStore;
  readonly clock: ManualClock;
  readonly space: TimedKeySpace;
  readonly keys: readonly string[];
}> {
  const store = new ManualLogStore();
  const clock = createManualClock(1000);
  [store.capacity, store.reserve] = [20_000, 8000];
  const space = await open(store, clock, 10, createMemoryLog());
  const keys: string[] = [];
  for (;;) {
    const key = `k${keys.length}`;
    const failure = await create(space, key, 'x'.repeat(400)).then(
      () => undefined,
      (error: KeySpaceError) => error.code,
    );
    if (failure === 'out-of-space') return { store, clock, space, keys };
    keys.push(key);
  }
}

test('a full store accepts deletes and compactions, and rejects writes that need space', async () => {
  const { space, keys } = await openFull();
  const revision = await space.revision();
  const results = await Promise.allSettled([
    create(space, 'new', 'x'.repeat(400)),
    space.commit({ key: 'k0', expected: 2, value: undefined }),
    space.commit({ key: 'k1', expected: 3, value: 'y'.repeat(401) }),
    // Does not conflict with the preceding update, which fails.
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

test('a full store has space again after enough deletes, before the retention time is over', async () => {
  const { store, space, keys } = await openFull();
  const left = keys.slice(0, 10);
  for (const key of keys.slice(10)) await remove(space, key);
  await runMicrotasks();
  expect((await create(space, 'new')).entry?.value).toBeDefined();
  await space.close();
  const again = await open(store);
  expect((await again.range({ prefix: '' })).entries.map(({ key }) => key)).toEqual([...left, 'new'].sort());
});

test.each([false, true])('a full store whose deleted data is freed late has space again later (after a restart: %s)', async (restarts) => {
  const { store, clock, space: first, keys } = await openFull();
  const { snapshots } = store;
  // Deletes fit and snapshots do not.
  store.isSnapshotSpaceFreed = false;
  for (const key of keys.slice(10)) await remove(first, key);
  await runMicrotasks();
  if (restarts) await first.close();
  const space = restarts ? await open(store, clock, 1000, createMemoryLog()) : first;
  const tryCreate = async (key: string): Promise<string> => {
    const outcome = await create(space, key).then(
      () => 'created',
      (error: KeySpaceError) => error.code,
    );
    await runMicrotasks();
    return outcome;
  };
  expect(await tryCreate('early')).toBe('out-of-space');
  const attempts = store.begunSnapshots;
  expect(await tryCreate('at the same time')).toBe('out-of-space');
  expect([store.begunSnapshots, store.snapshots]).toEqual([attempts, snapshots]);
  store.isSnapshotSpaceFreed = true;
  await clock.advance(60_000);
  expect(await tryCreate('starts the snapshot')).toBe('out-of-space');
  expect(store.snapshots).toBe(snapshots + 1);
  expect(await tryCreate('late')).toBe('created');
  await space.close();
  expect((await (await open(store)).range({ prefix: '' })).entries.map(({ key }) => key)).toEqual([...keys.slice(0, 10), 'late'].sort());
});

test('a store that found space while a failed snapshot was abandoned is not full', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(1000), 1000, createMemoryLog());
  const begin = store.beginSnapshot.bind(store);
  let endAbandon = (): void => {};
  store.beginSnapshot = async () => ({
    ...(await begin()),
    add: () => Promise.reject(new KeySpaceError('out-of-space', 'the store is full')),
    abandon: () =>
      new Promise((resolve) => {
        endAbandon = resolve;
      }),
  });
  const keys: string[] = [];
  while (store.begunSnapshots === 0) {
    keys.push(`k${keys.length}`);
    await create(space, `k${keys.length - 1}`);
  }
  await create(space, 'last');
  endAbandon();
  await runMicrotasks();
  for (const key of keys) await remove(space, key);
  await runMicrotasks();
  expect(await space.compactedRevision()).toBe(1);
});

test('a full store that is compacted still finds recent requests, also after a restart, until their retention time is over', async () => {
  const { store, space, keys } = await openFull();
  const [first = '', ...others] = keys;
  const current = (await space.get(first))?.revision ?? 0;
  const { revision } = await space.commit({ key: first, expected: current, value: undefined, requestId: 'request' });
  for (const key of others.slice(10)) await remove(space, key);
  await runMicrotasks();
  const known = { requestId: 'request', key: first, revision, timeMs: 1000, isCompacted: true };
  expect(await space.compactedRevision()).toBeGreaterThan(revision);
  expect(await space.findCommit('request')).toEqual(known);
  const repeated = { key: first, expected: 'absent', value: 'v', requestId: 'request' } as const;
  expect((await getRejection(space.commit(repeated))).code).toBe('unavailable');
  await space.close();
  expect(store.chunks[0]).toContain('"requests"');
  const again = await open(store);
  expect(await again.findCommit('request')).toEqual(known);
  await again.compact((await create(again, 'new')).revision);
  expect(await again.findCommit('request')).toBeUndefined();
});

test('a delete waits for a snapshot that uses the reserve', async () => {
  const { store, space, keys } = await openFull();
  const release = store.holdSnapshots();
  const begun = store.begunSnapshots;
  for (const key of keys.slice(0, -1)) if (store.begunSnapshots === begun) await remove(space, key);
  store.capacity = 0;
  const waiting = remove(space, keys.at(-1) ?? '');
  await runMicrotasks();
  store.capacity = 20_000;
  release();
  expect((await waiting).entry).toBeUndefined();
  expect(store.snapshots).toBeGreaterThan(0);
});

test('when the store is lost watches fail once, reads succeed and writes fail', async () => {
  const store = new ManualLogStore();
  const space = await open(store);
  await create(space, 'a');
  const recorder = await recordWatch(space, '', 1);
  store.lose(new KeySpaceError('unavailable', 'lost'));
  expect(recorder.failures.map((error) => error.code)).toEqual(['unavailable']);
  expect((await getRejection(recordWatch(space, '', 2))).code).toBe('unavailable');
  expect((await getRejection(create(space, 'b'))).code).toBe('unavailable');
  expect((await space.get('a'))?.revision).toBe(2);
  await space.close();
  expect(recorder.failures).toHaveLength(1);
});

test('a snapshot is written concurrently with writes, and a compaction waits for it', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 3);
  const release = store.holdSnapshots();
  for (let index = 0; index < 10; index++) await create(space, `k${index}`);
  await runMicrotasks();
  expect([store.snapshots, store.records.length]).toEqual([0, 10]);
  const compacted = space.compact(11);
  await runMicrotasks();
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

test('closing completes accepted writes, and abandons an unfinished snapshot', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 3);
  const releaseSnapshots = store.holdSnapshots();
  for (let index = 0; index < 5; index++) await create(space, `k${index}`);
  const release = store.hold();
  const last = create(space, 'last');
  const closed = space.close();
  expect((await getRejection(create(space, 'late'))).code).toBe('closed');
  expect(space.close()).toBe(closed);
  await runMicrotasks();
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
  await runMicrotasks();
  const [compacted, revision] = [await space.compactedRevision(), await space.revision()];
  expect(revision).toBe(100_001);
  // A minute of 3.6 s rounds: the changes of a hundred keys since then.
  expect(revision - compacted).toBeLessThanOrEqual(1700);
  const stored = [...store.chunks, ...store.records].join('').length;
  expect(stored).toBeLessThan(300_000);
  await space.close();
  const again = await open(store, clock);
  expect((await again.range({ prefix: '' })).entries.map((entry) => entry.value)).toEqual(Array.from({ length: 100 }, () => 'round 999'));
}, 30_000);

test('the times of revisions survive a restart, so history is still retained by age', async () => {
  const store = new ManualLogStore();
  const clock = createManualClock(1000);
  let space: KeySpace & TimedKeySpace = await open(store, clock, 2);
  for (const key of ['a', 'b', 'c', 'd']) {
    await create(space, key);
    await clock.advance(1000);
  }
  await runMicrotasks();
  await space.close();
  space = await open(store, clock, 2);
  const found = [];
  for (const timeMs of [999, 1000, 2500, 4000, 9000]) found.push(await space.revisionAt(timeMs));
  expect(found).toEqual([1, 2, 3, 5, 5]);
  expect(await createCompactor({ keySpace: space, clock, log, retentionMs: 2500 }).compact()).toBe(3);
});

test('a snapshot contains requests, deletes and old revisions', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 4);
  const made = await create(space, 'a', '1', 'request-1');
  await update(space, 'a', '2');
  const deletion = await remove(space, 'a');
  await create(space, 'b', '"quoted"\n');
  await create(space, 'c');
  await runMicrotasks();
  expect([store.snapshots, store.records.length]).toEqual([1, 0]);
  await space.close();
  const again = await open(store);
  expect(await again.findCommit('request-1')).toEqual(made);
  expect((await recordWatch(again, 'a', 3)).changes).toEqual([deletion]);
  expect((await again.get('a', 3))?.value).toBe('2');
  expect((await again.get('b'))?.value).toBe('"quoted"\n');
});

test('opening fails when the store does not return a log', async () => {
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
    expect((await getRejection(open(store))).code, text).toBe('corrupt');
    expect(store.isClosed).toBe(true);
  }
});

test.each(['refuse', 'retain-intact'] as const)(
  'data of a newer format version is rejected and left unchanged, also with onDamage: %s',
  async (onDamage) => {
    const newer = '{"format":3,"first":2}';
    const intact = '{"format":1,"first":2,"timeMs":1,"writes":[["a","1"]]}';
    const header = '{"format":1,"compacted":1,"revision":1,"entries":0}';
    for (const [chunks, records] of [
      [[], [intact, newer]],
      [[newer], []],
      [[header, newer], [intact]],
    ] as const) {
      const store = new ManualLogStore();
      store.chunks = [...chunks];
      store.records = [...records];
      const { code, error } = await getRejection(openLogKeySpace({ store, clock: createManualClock(), log, onDamage }));
      expect([code, String(error)]).toEqual(['newer-format', expect.stringContaining('its format is 3, this version reads up to 2')]);
      expect([store.chunks, store.records, store.isClosed]).toEqual([chunks, records, true]);
    }
  },
);

test('a snapshot without one of its chunks fails, and the error reports the intact part', async () => {
  const store = new ManualLogStore();
  const space = await open(store, createManualClock(), 2);
  for (let index = 0; index < 5; index++) await create(space, `k${index}`);
  await space.compact(6);
  await create(space, 'l');
  await runMicrotasks();
  await space.close();
  store.chunks = store.chunks.filter((chunk) => !chunk.includes('"entries":['));
  const { error } = await getRejection(open(store));
  expect(String(error)).toContain('the snapshot has 0 of its');
});
