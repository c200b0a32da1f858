import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Change, TimedKeySpace } from '../../src/storage/index.ts';
import { create, update } from '../contracts/actions.ts';
import { getRejection } from '../contracts/contract.ts';
import { recordWatch, type WatchRecorder } from '../contracts/watch-recorder.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';
import { type EtcdSpaceOptions, openEtcdSpace } from './etcd-space.ts';

let cluster: EtcdCluster;
let spaces: TimedKeySpace[] = [];

async function open(options: EtcdSpaceOptions = {}): Promise<TimedKeySpace> {
  const space = await openEtcdSpace(cluster.servers, options);
  spaces.push(space);
  return space;
}

/** A watch must deliver each revision once, in order, independent of member failures. */
function expectCompleteWatch(recorder: WatchRecorder, revisions: readonly number[]): void {
  expect(recorder.changes.map((change: Change) => change.revision)).toEqual([...revisions].sort((a, b) => a - b));
  expect(recorder.failures).toEqual([]);
}

function startClusterForEachTest(size: number): void {
  beforeEach(async () => {
    cluster = await EtcdCluster.start(size);
    spaces = [];
  });
  afterEach(async () => {
    for (const space of spaces) await space.close();
    await cluster.close();
  });
}

describe.skipIf(etcdMissing)(`one member of etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  startClusterForEachTest(1);

  test('while it is down reads at observed revisions succeed and others time out; after its restart all calls succeed', async () => {
    const space = await open({ timeoutMs: 500 });
    const recorder = await recordWatch(space, '', 1);
    const revisions = [(await create(space, 'a')).revision];
    await cluster.kill(0);
    const at = await space.observedRevision();
    expect((await space.get('a', at))?.value).toBe('v');
    expect((await space.range({ prefix: '', at })).count).toBe(1);
    const calls = [space.get('a'), space.revision(), create(space, 'b'), space.findCommit('x')];
    expect(await Promise.all(calls.map(async (call) => (await getRejection(call)).code))).toEqual(calls.map(() => 'timed-out'));
    cluster.startMember(0);
    await cluster.waitUntilHealthy();
    const other = await open();
    revisions.push((await create(other, 'c')).revision, (await create(space, 'd')).revision);
    await recorder.until(revisions.at(-1) ?? 0);
    expectCompleteWatch(recorder, revisions);
  });

  test('a write that waits for the restart of a member is executed once', async () => {
    const space = await open();
    const recorder = await recordWatch(space, '', 1);
    await cluster.kill(0);
    const writes = Promise.all(Array.from({ length: 5 }, (_, index) => create(space, `k${index}`)));
    cluster.startMember(0);
    const revisions = (await writes).map(({ revision }) => revision);
    await recorder.until(Math.max(...revisions));
    expectCompleteWatch(recorder, revisions);
  });

  test('writes to a paused member are executed once after it resumes', async () => {
    const space = await open();
    const other = await open();
    const hasty = await open({ timeoutMs: 300 });
    const recorder = await recordWatch(other, '', 1);
    const { revision } = await create(space, 'a');
    await cluster.pause(0);
    const writes = [update(space, 'a', '2'), create(space, 'b')];
    expect((await getRejection(hasty.get('a'))).code).toBe('timed-out');
    cluster.resume(0);
    const revisions = [revision, ...(await Promise.all(writes)).map((commit) => commit.revision)];
    await recorder.until(Math.max(...revisions));
    expectCompleteWatch(recorder, revisions);
  });

  test('revisions compacted by another client cannot be read or watched', async () => {
    const space = await open();
    for (const key of ['a', 'b', 'c']) await create(space, key);
    cluster.etcdctl(0, 'compact', '4');
    expect((await getRejection(space.get('a', 3))).code).toBe('compacted');
    expect((await getRejection(recordWatch(space, '', 2))).code).toBe('compacted');
    expect((await space.range({ prefix: '', at: 4 })).count).toBe(3);
    // Compacting an already compacted revision succeeds.
    await space.compact(3);
    expect(await space.compactedRevision()).toBe(4);
  });

  test('a space opened after a compaction has the state at that revision and all later changes', async () => {
    const space = await open();
    for (const key of ['😀', '\uffff', 'a', 'b']) await create(space, key);
    await space.compact(4);
    await update(space, 'a', '2');
    const opened = await open();
    expect(await opened.compactedRevision()).toBe(4);
    expect(await opened.range({ prefix: '' })).toEqual(await space.range({ prefix: '' }));
    expect((await recordWatch(opened, '', 4)).changes).toEqual((await recordWatch(space, '', 4)).changes);
  });

  test('handles foreign keys, and several keys in one transaction', async () => {
    const space = await open();
    const recorder = await recordWatch(space, '', 1);
    const { revision } = await create(space, 'a');
    cluster.etcdctl(0, 'put', 'elsewhere', 'x');
    cluster.etcdctl(0, 'del', '--prefix', '');
    expect([await space.revision(), (await space.range({ prefix: '' })).count]).toEqual([revision + 2, 0]);
    const next = await create(space, 'a');
    await recorder.until(next.revision);
    expectCompleteWatch(recorder, [revision, revision + 2, next.revision]);
  });

  test('a key with a TTL is deleted when its lease expires', async () => {
    const space = await open({ ttlSeconds: 1 });
    const recorder = await recordWatch(space, '', 1);
    const { revision } = await create(space, 'a');
    await create(space, 'b');
    await recorder.until(revision + 2);
    expect(await space.range({ prefix: '' })).toMatchObject({ entries: [] });
    expect(recorder.changes.slice(2).every(({ entry, previous }) => entry === undefined && previous !== undefined)).toBe(true);
  });
});

describe.skipIf(etcdMissing)(`three members of etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  startClusterForEachTest(3);

  /** Writes from two servers until `disturb` ends; both watches must deliver every acknowledged write once. */
  async function writeDuring(disturb: (done: () => number) => Promise<void>): Promise<void> {
    const writers = await Promise.all([open(), open()]);
    const watches = await Promise.all(writers.map((space) => recordWatch(space, '', 1)));
    const revisions: number[] = [];
    let isOver = false;
    const working = writers.map(async (space, writer) => {
      for (let index = 0; !isOver; index++) revisions.push((await create(space, `w${writer}-${index}`)).revision);
    });
    await disturb(() => revisions.length);
    isOver = true;
    await Promise.all(working);
    for (const recorder of watches) {
      await recorder.until(Math.max(...revisions));
      expectCompleteWatch(recorder, revisions);
    }
    const counts = await Promise.all(writers.map(async (space) => (await space.range({ prefix: '' })).count));
    expect(counts).toEqual([revisions.length, revisions.length]);
  }

  /** Resolves after `count` more writes. */
  async function waitForWrites(done: () => number, count: number): Promise<void> {
    const goal = done() + count;
    while (done() < goal) await pause(10);
  }

  test('no write and no event is lost when the leader is killed', async () => {
    await writeDuring(async (done) => {
      await waitForWrites(done, 20);
      const leader = await cluster.leader();
      await cluster.kill(leader);
      await waitForWrites(done, 20);
      cluster.startMember(leader);
      await waitForWrites(done, 20);
    });
  });

  test('calls move from paused members to responsive ones', async () => {
    await writeDuring(async (done) => {
      for (let index = 0; index < 3; index++) {
        await cluster.pause(index);
        await waitForWrites(done, 10);
        cluster.resume(index);
        await cluster.waitUntilHealthy();
      }
    });
  });

  test('writes continue after all members were killed and restarted', async () => {
    await writeDuring(async (done) => {
      await waitForWrites(done, 10);
      for (let index = 0; index < 3; index++) await cluster.kill(index);
      for (let index = 0; index < 3; index++) cluster.startMember(index);
      await waitForWrites(done, 10);
    });
  });

  test('servers that update one key never lose an update', async () => {
    const writers = await Promise.all([open(), open(), open()]);
    const [first] = writers;
    if (first) await create(first, 'counter', '0');
    const counting = writers.map(async (space) => {
      for (let done = 0; done < 20; ) {
        const entry = await space.get('counter');
        if (!entry) throw new Error('the counter is missing');
        const { code } = await getRejection(
          space.commit({ key: 'counter', expected: entry.revision, value: String(Number(entry.value) + 1) }),
        );
        if (code === 'resolved') done++;
        else expect(code).toBe('revision-changed');
      }
    });
    await Promise.all(counting);
    expect((await first?.get('counter'))?.value).toBe('60');
  });

  test('a write of one server is immediately visible to the next read of another', async () => {
    const [writer, reader] = [await open(), await open()];
    for (let index = 0; index < 50; index++) {
      const { revision } = await create(writer, `k${index}`);
      expect((await reader.get(`k${index}`))?.revision).toBe(revision);
    }
  });
});
