import { expect, test } from 'vitest';
import { obedient, SimulatedDisk } from '../../../test/contracts/simulated-folder.ts';
import type { LogStore } from '../log/log-store.ts';
import { openFileLogStore } from './file-log-store.ts';

function open(disk: SimulatedDisk, sync: 'always' | 'never' = 'always'): Promise<LogStore> {
  return openFileLogStore({ folder: disk.process(obedient).folder, sync });
}

async function snapshotOf(store: LogStore, ...chunks: readonly string[]): Promise<void> {
  const snapshot = await store.beginSnapshot();
  for (const chunk of chunks) await snapshot.add(chunk);
  await snapshot.finish();
}

/** A disk with a snapshot, two records before the next one's segment and one after. */
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

test('a snapshot stands for the segments before it, which go', async () => {
  const disk = await used();
  expect(disk.names()).toEqual(['log-1', 'log-2', 'snapshot-1', 'snapshot-2.new']);
  const store = await open(disk);
  expect(await store.load()).toEqual({ chunks: ['chunk 1', 'chunk 2'], records: ['one', 'two', 'three'], damage: undefined });
  await snapshotOf(store, 'chunk');
  expect(disk.names()).toEqual(['log-3', 'snapshot-3']);
});

test('a second process is refused while the first has the folder', async () => {
  const disk = new SimulatedDisk();
  const store = await open(disk);
  await expect(open(disk)).rejects.toMatchObject({ code: 'unavailable', message: 'cannot lock the folder: process 1 is using the folder' });
  await store.close();
  await expect(open(disk)).resolves.toBeDefined();
});

test('a torn end is cut off and written over', async () => {
  const disk = await used();
  disk.write('log-2', new Uint8Array([...disk.read('log-2'), 49, 50, 51]));
  const store = await open(disk);
  expect((await store.load()).records).toEqual(['one', 'two', 'three']);
  await store.append('four');
  await store.close();
  expect((await (await open(disk)).load()).records).toEqual(['one', 'two', 'three', 'four']);
});

test.each([
  [
    'a segment hurt in the middle',
    (disk: SimulatedDisk) => hurt(disk, 'log-1', 20),
    ['chunk 1', 'chunk 2'],
    [],
    'log-1 is damaged at byte 0',
  ],
  [
    'a segment torn before the last one',
    (disk: SimulatedDisk) => hurt(disk, 'log-1', -2),
    ['chunk 1', 'chunk 2'],
    ['one'],
    'log-1 is damaged at byte 22',
  ],
  ['a missing segment', (disk: SimulatedDisk) => disk.remove('log-1'), ['chunk 1', 'chunk 2'], [], 'log-1 is missing'],
  ['a snapshot that was hurt', (disk: SimulatedDisk) => hurt(disk, 'snapshot-1', 30), ['chunk 1'], [], 'snapshot-1 is damaged at byte 26'],
] as const)('%s is told, nothing is touched, and a snapshot heals it', async (_, break_, chunks, records, damage) => {
  const disk = await used();
  break_(disk);
  const before = disk.names();
  const store = await open(disk);
  expect(await store.load()).toEqual({ chunks, records, damage });
  await expect(store.append('more')).rejects.toMatchObject({ code: 'closed' });
  await store.close();
  expect(disk.names()).toEqual(before);
  const healing = await open(disk);
  await healing.load();
  await snapshotOf(healing, 'healed');
  await healing.append('more');
  await healing.close();
  expect(await (await open(disk)).load()).toEqual({ chunks: ['healed'], records: ['more'], damage: undefined });
});

test('without syncing, what a power cut leaves is still whole', async () => {
  const disk = new SimulatedDisk();
  const store = await open(disk, 'never');
  await store.load();
  for (const record of ['one', 'two', 'three']) await store.append(record);
  disk.cutPower({ integer: (below) => Math.floor(below / 2), uuid: () => '' });
  disk.releaseLock();
  expect((await (await open(disk)).load()).records).toEqual(['one']);
});

function hurt(disk: SimulatedDisk, name: string, at: number): void {
  const bytes = disk.read(name).slice();
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  disk.write(name, bytes);
}
