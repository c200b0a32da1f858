import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Change, TimedKeySpace } from '../../src/storage/index.ts';
import { create, update } from '../contracts/actions.ts';
import { rejection } from '../contracts/contract.ts';
import { type Recorder, record } from '../contracts/recorder.ts';
import { EtcdCluster, etcdMissing } from './etcd-cluster.ts';
import { type EtcdSpaceOptions, openEtcdSpace } from './etcd-space.ts';

let cluster: EtcdCluster;
let spaces: TimedKeySpace[] = [];

async function open(options: EtcdSpaceOptions = {}): Promise<TimedKeySpace> {
  const space = await openEtcdSpace(cluster.servers, options);
  spaces.push(space);
  return space;
}

/** A watch must tell each revision once, in order, whatever became of the members meanwhile. */
function expectWhole(seen: Recorder, revisions: readonly number[]): void {
  expect(seen.changes.map((change: Change) => change.revision)).toEqual([...revisions].sort((a, b) => a - b));
  expect(seen.failures).toEqual([]);
}

function clusterOf(size: number): void {
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
  clusterOf(1);

  test('while it is away reads of what was seen are answered, all else times out; when it is back all goes on without a restart', async () => {
    const space = await open({ patienceMs: 500 });
    const seen = await record(space, '', 1);
    const revisions = [(await create(space, 'a')).revision];
    await cluster.kill(0);
    const at = await space.seenRevision();
    expect((await space.get('a', at))?.value).toBe('v');
    expect((await space.range({ prefix: '', at })).count).toBe(1);
    const calls = [space.get('a'), space.revision(), create(space, 'b'), space.findCommit('x')];
    expect(await Promise.all(calls.map(async (call) => (await rejection(call)).code))).toEqual(calls.map(() => 'timed-out'));
    cluster.startMember(0);
    await cluster.healthy();
    const patient = await open();
    revisions.push((await create(patient, 'c')).revision, (await create(space, 'd')).revision);
    await seen.until(revisions.at(-1) ?? 0);
    expectWhole(seen, revisions);
  });

  test('a write that waits for a member to come back is done once', async () => {
    const space = await open();
    const seen = await record(space, '', 1);
    await cluster.kill(0);
    const writes = Promise.all(Array.from({ length: 5 }, (_, index) => create(space, `k${index}`)));
    cluster.startMember(0);
    const revisions = (await writes).map(({ revision }) => revision);
    await seen.until(Math.max(...revisions));
    expectWhole(seen, revisions);
  });

  test('a member that hangs is waited for, and what it was asked is done once', async () => {
    const space = await open();
    const other = await open();
    const impatient = await open({ patienceMs: 300 });
    const seen = await record(other, '', 1);
    const { revision } = await create(space, 'a');
    await cluster.pause(0);
    const writes = [update(space, 'a', '2'), create(space, 'b')];
    expect((await rejection(impatient.get('a'))).code).toBe('timed-out');
    cluster.resume(0);
    const revisions = [revision, ...(await Promise.all(writes)).map((commit) => commit.revision)];
    await seen.until(Math.max(...revisions));
    expectWhole(seen, revisions);
  });

  test('what others compact can no longer be read or watched from here', async () => {
    const space = await open();
    for (const key of ['a', 'b', 'c']) await create(space, key);
    cluster.etcdctl(0, 'compact', '4');
    expect((await rejection(space.get('a', 3))).code).toBe('compacted');
    expect((await rejection(record(space, '', 2))).code).toBe('compacted');
    expect((await space.range({ prefix: '', at: 4 })).count).toBe(3);
    // Compacting less far than others did is no error.
    await space.compact(3);
    expect(await space.compactedRevision()).toBe(4);
  });

  test('a server that opens after a compaction has what stood then, and all changes since', async () => {
    const space = await open();
    for (const key of ['😀', '\uffff', 'a', 'b']) await create(space, key);
    await space.compact(4);
    await update(space, 'a', '2');
    const opened = await open();
    expect(await opened.compactedRevision()).toBe(4);
    expect(await opened.range({ prefix: '' })).toEqual(await space.range({ prefix: '' }));
    expect((await record(opened, '', 4)).changes).toEqual((await record(space, '', 4)).changes);
  });

  test('keys of others, and several keys in one transaction, are no trouble', async () => {
    const space = await open();
    const seen = await record(space, '', 1);
    const { revision } = await create(space, 'a');
    cluster.etcdctl(0, 'put', 'elsewhere', 'x');
    cluster.etcdctl(0, 'del', '--prefix', '');
    expect([await space.revision(), (await space.range({ prefix: '' })).count]).toEqual([revision + 2, 0]);
    const next = await create(space, 'a');
    await seen.until(next.revision);
    expectWhole(seen, [revision, revision + 2, next.revision]);
  });

  test('a key with a time to live goes with its lease', async () => {
    const space = await open({ ttlSeconds: 1 });
    const seen = await record(space, '', 1);
    const { revision } = await create(space, 'a');
    await create(space, 'b');
    await seen.until(revision + 2);
    expect(await space.range({ prefix: '' })).toMatchObject({ entries: [] });
    expect(seen.changes.slice(2).every(({ entry, previous }) => entry === undefined && previous !== undefined)).toBe(true);
  });
});

describe.skipIf(etcdMissing)(`three members of etcd${etcdMissing ? ` (${etcdMissing})` : ''}`, () => {
  clusterOf(3);

  /** Writes on and on, by two servers, while `trouble` goes on; every acknowledged write must be seen by both, once. */
  async function survive(trouble: (done: () => number) => Promise<void>): Promise<void> {
    const writers = await Promise.all([open(), open()]);
    const watches = await Promise.all(writers.map((space) => record(space, '', 1)));
    const revisions: number[] = [];
    let isOver = false;
    const working = writers.map(async (space, writer) => {
      for (let index = 0; !isOver; index++) revisions.push((await create(space, `w${writer}-${index}`)).revision);
    });
    await trouble(() => revisions.length);
    isOver = true;
    await Promise.all(working);
    for (const seen of watches) {
      await seen.until(Math.max(...revisions));
      expectWhole(seen, revisions);
    }
    const counts = await Promise.all(writers.map(async (space) => (await space.range({ prefix: '' })).count));
    expect(counts).toEqual([revisions.length, revisions.length]);
  }

  /** Until so many more writes are done. */
  async function more(done: () => number, count: number): Promise<void> {
    const goal = done() + count;
    while (done() < goal) await pause(10);
  }

  test('the loss of the leader loses no write and no event', async () => {
    await survive(async (done) => {
      await more(done, 20);
      const leader = await cluster.leader();
      await cluster.kill(leader);
      await more(done, 20);
      cluster.startMember(leader);
      await more(done, 20);
    });
  });

  test('members that hang in turn are left for those that answer', async () => {
    await survive(async (done) => {
      for (let index = 0; index < 3; index++) {
        await cluster.pause(index);
        await more(done, 10);
        cluster.resume(index);
        await cluster.healthy();
      }
    });
  });

  test('the loss of all is survived when they come back', async () => {
    await survive(async (done) => {
      await more(done, 10);
      for (let index = 0; index < 3; index++) await cluster.kill(index);
      for (let index = 0; index < 3; index++) cluster.startMember(index);
      await more(done, 10);
    });
  });

  test('servers that update one key never lose an update', async () => {
    const writers = await Promise.all([open(), open(), open()]);
    const [first] = writers;
    if (first) await create(first, 'counter', '0');
    const counting = writers.map(async (space) => {
      for (let done = 0; done < 20; ) {
        const entry = await space.get('counter');
        if (!entry) throw new Error('the counter is gone');
        const { code } = await rejection(
          space.commit({ key: 'counter', expected: entry.revision, value: String(Number(entry.value) + 1) }),
        );
        if (code === 'resolved') done++;
        else expect(code).toBe('revision-changed');
      }
    });
    await Promise.all(counting);
    expect((await first?.get('counter'))?.value).toBe('60');
  });

  test('what one server has written the next one reads, at once', async () => {
    const [writer, reader] = [await open(), await open()];
    for (let index = 0; index < 50; index++) {
      const { revision } = await create(writer, `k${index}`);
      expect((await reader.get(`k${index}`))?.revision).toBe(revision);
    }
  });
});
