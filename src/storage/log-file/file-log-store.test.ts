import { expect, test } from 'vitest';
import { obedient, SimulatedDisk } from '../../../test/contracts/simulated-folder.ts';
import { type Clock, createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../env/index.ts';
import type { LogStore } from '../log/log-store.ts';
import { openFileLogStore } from './file-log-store.ts';
import { encodeFrame } from './frames.ts';
import type { LogFolder } from './log-folder.ts';
import { encodeSegmentHeader } from './segment-header.ts';

function open(disk: SimulatedDisk, sync: 'always' | 'never' = 'always', reserveBytes = 100): Promise<LogStore> {
  const { folder } = disk.process(obedient);
  return openFileLogStore({
    folder,
    clock: createManualClock(),
    random: createSeededRandom(1),
    log: createMemoryLog(),
    sync,
    reserveBytes,
  });
}

function openOn(folder: LogFolder, clock: Clock): Promise<LogStore> {
  return openFileLogStore({ folder, clock, random: createSeededRandom(1), log: createMemoryLog(), sync: 'always', reserveBytes: 100 });
}

async function snapshotOf(store: LogStore, ...chunks: readonly string[]): Promise<void> {
  const snapshot = await store.beginSnapshot();
  for (const chunk of chunks) await snapshot.add(chunk);
  await snapshot.finish();
}

/** A disk with a snapshot, two records before the segment of the next one, and one after. */
async function used(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const store = await open(disk);
  await store.load();
  await store.append('old');
  await snapshotOf(store, 'chunk 1', 'chunk 2');
  await store.append('one');
  await store.append('two');
  const left = await store.beginSnapshot();
  await left.add('never finished');
  await store.append('three');
  await store.close();
  return disk;
}

test('removes the segments that a snapshot covers', async () => {
  const disk = await used();
  expect(disk.names()).toEqual(['log-1', 'log-2', 'owner-1', 'reserve', 'snapshot-1', 'snapshot-2.new']);
  const store = await open(disk);
  expect(await store.load()).toEqual({ chunks: ['chunk 1', 'chunk 2'], records: ['one', 'two', 'three'], damage: undefined });
  await snapshotOf(store, 'chunk');
  expect(disk.names()).toEqual(['log-3', 'owner-2', 'reserve', 'snapshot-3']);
});

test('rejects a second process while the first owns the folder', async () => {
  const disk = new SimulatedDisk();
  const store = await open(disk);
  await expect(open(disk)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'process 1 on machine is using the folder: a data folder has one server at a time',
  });
  await store.close();
  await expect(open(disk)).resolves.toBeDefined();
});

test('truncates and overwrites a torn end', async () => {
  const disk = await used();
  disk.write('log-2', new Uint8Array([...disk.read('log-2'), 49, 50, 51]));
  const store = await open(disk);
  expect((await store.load()).records).toEqual(['one', 'two', 'three']);
  await store.append('four');
  await store.close();
  expect((await (await open(disk)).load()).records).toEqual(['one', 'two', 'three', 'four']);
});

const snapshotTexts = ['chunk 1', 'chunk 2'];

test.each([
  [
    'a record of another content in the middle',
    (disk: SimulatedDisk) => change(disk, 'log-1', headerSize('log-1') + 20),
    snapshotTexts,
    [],
    `log-1 is damaged at byte ${headerSize('log-1')}: the record of 22 bytes there does not match its checksum`,
  ],
  [
    'a last record of another content',
    (disk: SimulatedDisk) => change(disk, 'log-2', -2),
    snapshotTexts,
    ['one', 'two'],
    `log-2 is damaged at byte ${headerSize('log-2')}: the record of 24 bytes there does not match its checksum`,
  ],
  [
    'a last record that seems longer than the file',
    (disk: SimulatedDisk) => disk.write('log-2', textReplaced(disk.read('log-2'), '00000005 three', '00000006 three')),
    snapshotTexts,
    ['one', 'two'],
    `log-2 is damaged at byte ${headerSize('log-2')}: the file ends there, but ${headerSize('log-2') + 24} bytes of it were acknowledged`,
  ],
  [
    'a last segment without its last record',
    (disk: SimulatedDisk) => disk.write('log-2', disk.read('log-2').slice(0, -24)),
    snapshotTexts,
    ['one', 'two'],
    `log-2 is damaged at byte ${headerSize('log-2')}: the file ends there, but ${headerSize('log-2') + 24} bytes of it were acknowledged`,
  ],
  [
    'zeros at the end',
    (disk: SimulatedDisk) => disk.write('log-2', new Uint8Array([...disk.read('log-2'), ...new Uint8Array(50)])),
    snapshotTexts,
    ['one', 'two', 'three'],
    `log-2 is damaged at byte ${headerSize('log-2') + 24}: 50 zero bytes stand where a record should`,
  ],
  [
    'a segment that ends within a record before the last one',
    (disk: SimulatedDisk) => disk.write('log-1', disk.read('log-1').slice(0, -2)),
    snapshotTexts,
    ['one'],
    `log-1 is damaged at byte ${headerSize('log-1') + 22}: it ends within a record, although another segment follows`,
  ],
  [
    'a segment before the last one without its last record',
    (disk: SimulatedDisk) => disk.write('log-1', disk.read('log-1').slice(0, -22)),
    snapshotTexts,
    ['one'],
    `log-1 is damaged at byte ${headerSize('log-1') + 22}: the file ends there, but it had ${headerSize('log-1') + 44} bytes when the next segment began`,
  ],
  ['a missing segment', (disk: SimulatedDisk) => disk.remove('log-1'), snapshotTexts, [], 'log-1 is missing'],
  ['a missing last segment', (disk: SimulatedDisk) => disk.remove('log-2'), snapshotTexts, ['one', 'two'], 'log-2 is missing'],
  ['a missing snapshot', (disk: SimulatedDisk) => disk.remove('snapshot-1'), [], [], 'snapshot-1 is missing'],
  [
    'nothing but the owner record',
    (disk: SimulatedDisk) => ['snapshot-1', 'log-1', 'log-2'].map((name) => disk.remove(name)),
    [],
    [],
    'log-2 is missing',
  ],
  [
    'a damaged snapshot',
    (disk: SimulatedDisk) => change(disk, 'snapshot-1', 46),
    ['chunk 1'],
    [],
    'snapshot-1 is damaged at byte 26: the record of 26 bytes there does not match its checksum',
  ],
  [
    'a snapshot that ends early',
    (disk: SimulatedDisk) => disk.write('snapshot-1', disk.read('snapshot-1').slice(0, 40)),
    ['chunk 1'],
    [],
    'snapshot-1 is damaged at byte 26: it ends within a record',
  ],
] as const)('reports %s, changes nothing, and is replaced by a snapshot', async (_, break_, chunks, records, damage) => {
  const disk = await used();
  break_(disk);
  const before = contentOf(disk);
  // Reported at every start, until it is repaired.
  for (let attempt = 0; attempt < 2; attempt++) {
    const store = await open(disk);
    expect(await store.load()).toMatchObject({ chunks, records, damage });
    await expect(store.append('more')).rejects.toMatchObject({ code: 'closed' });
    await store.close();
    expect(contentOf(disk)).toEqual(before);
  }
  const unfinished = await open(disk);
  await unfinished.load();
  await unfinished.beginSnapshot();
  await unfinished.close();
  const repairing = await open(disk);
  expect((await repairing.load()).damage).toBeDefined();
  await snapshotOf(repairing, 'repaired');
  await repairing.append('more');
  await repairing.close();
  expect(await (await open(disk)).load()).toEqual({ chunks: ['repaired'], records: ['more'], damage: undefined });
});

test('reports the records after the damage', async () => {
  const disk = await used();
  change(disk, 'log-1', headerSize('log-1') + 20);
  expect((await (await open(disk)).load()).recordsAfterDamage).toEqual(['two', 'three']);
});

test('continues a log of format 1 in a new segment', async () => {
  const disk = new SimulatedDisk();
  const old = ['one', 'two'].map((name) => JSON.stringify({ format: 1, name }));
  disk.write('snapshot-3', encodeFrame('chunk'));
  disk.write('log-3', new Uint8Array([...old.flatMap((text) => [...encodeFrame(text)]), 49, 50]));
  disk.write('log-4', new Uint8Array());
  const store = await open(disk);
  expect(await store.load()).toEqual({ chunks: ['chunk'], records: old, damage: undefined });
  await store.append('three');
  await store.close();
  expect(new TextDecoder().decode(disk.read('log-4'))).toMatch(/^\w+ \w+ {"format":2,"segment":4,"previousBytes":\d+}\n\w+ \w+ three\n$/);
  expect((await (await open(disk)).load()).records).toEqual([...old, 'three']);
});

test('takes over the folder of a silent owner on another machine after a lease, and the old owner acknowledges nothing more', async () => {
  const disk = new SimulatedDisk();
  let isStopped = false;
  let go = (): void => {};
  // Like SIGSTOP: system calls in flight complete, and the process continues with their results later.
  const first = disk.process({ ...obedient, pause: () => (isStopped ? new Promise((resolve) => (go = resolve)) : Promise.resolve()) });
  const [firstClock, secondClock] = [createManualClock(), createManualClock()];
  const older = await openOn(first.folder, firstClock);
  await older.load();
  await older.append('one');
  const lost: string[] = [];
  older.onLost((error) => lost.push(error.message));
  isStopped = true;
  const late = older.append('late').catch((error: Error) => error.message);
  const second = openOn(disk.process(obedient, 'another machine').folder, secondClock);
  await pass(secondClock, 9_750);
  expect(disk.names()).toEqual(['log-0', 'owner-1', 'reserve']);
  await pass(secondClock, 250);
  const newer = await second;
  expect(await newer.load()).toEqual({ chunks: [], records: ['one'], damage: undefined, needsSnapshot: true });
  await expect(newer.append('too early')).rejects.toMatchObject({ code: 'closed' });
  await snapshotOf(newer, 'one');
  await newer.append('two');
  isStopped = false;
  go();
  expect(await late).toBe('another process has taken over the folder: this one writes nothing to it any more');
  expect(lost).toEqual([await late]);
  await expect(older.append('later')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(older.beginSnapshot()).rejects.toMatchObject({ code: 'unavailable' });
  await older.close();
  await newer.append('three');
  await newer.close();
  expect(await (await open(disk)).load()).toEqual({ chunks: ['one'], records: ['two', 'three'], damage: undefined });
});

test('does not take over from an owner on another machine that renews its record', async () => {
  const disk = new SimulatedDisk();
  const clock = createManualClock();
  const older = await openOn(disk.process(obedient).folder, clock);
  await older.load();
  const second = openOn(disk.process(obedient, 'another machine').folder, clock).catch((error: Error) => error.message);
  await pass(clock, 3000);
  expect(await second).toBe('process 1 on machine is using the folder: a data folder has one server at a time');
  await older.append('one');
  await older.close();
  // The owner has released the folder, so there is no lease to wait for.
  await openOn(disk.process(obedient, 'another machine').folder, createManualClock());
});

test('lets one of two processes take over from a silent owner', async () => {
  const disk = new SimulatedDisk();
  await openOn(disk.process(obedient).folder, createManualClock());
  const clock = createManualClock();
  const both = ['another machine', 'a third machine'].map((scope) => openOn(disk.process(obedient, scope).folder, clock));
  const results = Promise.allSettled(both);
  await pass(clock, 30_000);
  expect((await results).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(disk.names()).toEqual(['owner-2']);
});

test('does not trust the files of a process that was killed during a takeover', async () => {
  const disk = new SimulatedDisk();
  const older = await openOn(disk.process(obedient).folder, createManualClock());
  await older.load();
  const clock = createManualClock();
  const killed = disk.process(obedient, 'another machine');
  const second = openOn(killed.folder, clock);
  await pass(clock, 10_000);
  await (await second).load();
  killed.kill();
  // Its own process is known to be dead; the first owner may still write.
  const third = await openOn(disk.process(obedient, 'another machine').folder, createManualClock());
  expect((await third.load()).needsSnapshot).toBe(true);
});

test('accepts deletes from the reserve of a full disk, rejects other writes, and accepts all when there is space', async () => {
  const disk = new SimulatedDisk();
  const store = await openFull(disk);
  await expect(store.append('x'.repeat(100))).rejects.toMatchObject({ code: 'out-of-space' });
  await store.append('delete 1', 'reserve');
  // The space released by the reserve is not available to other writes.
  await expect(store.append('x')).rejects.toMatchObject({ code: 'out-of-space' });
  await store.append('delete 2', 'reserve');
  disk.capacity += 10_000;
  await store.append('x');
  expect(disk.read('reserve')).toHaveLength(100_000);
  await store.close();
  expect((await (await open(disk)).load()).records.slice(-3)).toEqual(['delete 1', 'delete 2', 'x']);
});

test('writes the snapshot that empties a full disk, and removes an attempt that does not fit', async () => {
  const disk = new SimulatedDisk();
  const store = await openFull(disk);
  const used = disk.usedBytes();
  const attempt = await store.beginSnapshot();
  const tooLarge = async (): Promise<void> => {
    for (let chunk = 0; chunk < 200; chunk++) await attempt.add('x'.repeat(1000));
  };
  await expect(tooLarge()).rejects.toMatchObject({ code: 'out-of-space' });
  await attempt.abandon();
  await store.append('delete', 'reserve');
  await expect(store.append('x')).rejects.toMatchObject({ code: 'out-of-space' });
  await snapshotOf(store, 'x'.repeat(50_000));
  await store.append('x'.repeat(1000));
  expect(disk.usedBytes()).toBeLessThan(used);
  await store.close();
});

test('opens on a full disk', async () => {
  const disk = new SimulatedDisk();
  const store = await openFull(disk);
  await store.append('delete', 'reserve');
  disk.capacity = disk.usedBytes();
  disk.releaseLock();
  const again = await open(disk, 'always', 100_000);
  expect((await again.load()).records.at(-1)).toBe('delete');
  await expect(again.append('x')).rejects.toMatchObject({ code: 'out-of-space' });
  await again.append('delete again', 'reserve');
});

/** Advances the clock in steps; in each step all processes reach their next wait. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
    await clock.advance(250);
  }
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
}

async function openFull(disk: SimulatedDisk): Promise<LogStore> {
  disk.capacity = 300_000;
  const store = await open(disk, 'always', 100_000);
  await store.load();
  for (const size of [1000, 1]) {
    let failure: unknown;
    while (failure === undefined) {
      failure = await store.append('x'.repeat(size)).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
  }
  return store;
}

test('loads an intact log after a power failure without fsync', async () => {
  const disk = new SimulatedDisk();
  const store = await open(disk, 'never');
  await store.load();
  for (const record of ['one', 'two', 'three']) await store.append(record);
  disk.cutPower({ integer: (below) => Math.floor(below / 2), uuid: () => '' });
  disk.releaseLock();
  expect((await (await open(disk)).load()).records).toEqual(['one']);
});

function change(disk: SimulatedDisk, name: string, at: number): void {
  const bytes = disk.read(name).slice();
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  disk.write(name, bytes);
}

function textReplaced(bytes: Uint8Array, text: string, by: string): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(bytes).replace(text, by));
}

function headerSize(name: 'log-1' | 'log-2'): number {
  const previousBytes = name === 'log-1' ? 68 : 109;
  return encodeFrame(encodeSegmentHeader({ segment: Number(name.slice(4)), previousBytes })).length;
}

function contentOf(disk: SimulatedDisk): ReadonlyMap<string, string> {
  const names = disk.names().filter((name) => !name.startsWith('owner-'));
  return new Map(names.map((name) => [name, new TextDecoder().decode(disk.read(name))]));
}
