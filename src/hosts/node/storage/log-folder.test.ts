import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Log } from '../../../env/index.ts';
import { type LogStore, openFileLogStore, type ProcessTable } from '../../../storage/index.ts';
import { createLogFolder } from './log-folder.ts';
import { hasModes } from './private-files.ts';
import { createProcessTable } from './process-table.ts';

const places: string[] = [];
afterEach(() => Promise.all(places.splice(0).map((place) => rm(place, { recursive: true }))));

async function newPlace(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'log-folder-'));
  places.push(place);
  return place;
}

async function openStore(place: string, processes?: ProcessTable, log: Log = createMemoryLog()): Promise<LogStore> {
  const folder = await createLogFolder(place, log, processes);
  return openFileLogStore({ folder, clock: createManualClock(), random: createSeededRandom(1), log, sync: 'always', reserveBytes: 1000 });
}

test('appends, truncates, overwrites and reads bytes', async () => {
  const folder = await createLogFolder(join(await newPlace(), 'made', 'when', 'missing'), createMemoryLog());
  const file = await folder.open('log-0');
  await file.append(new Uint8Array([1, 2, 3]));
  await file.truncate(1);
  await file.append(new Uint8Array([4]));
  await file.sync();
  await file.close();
  const again = await folder.open('log-0');
  await again.append(new Uint8Array([5]));
  await again.close();
  expect([...(await folder.read('log-0'))]).toEqual([1, 4, 5]);
  const inPlace = await folder.openInPlace('log-0');
  await inPlace.write(new Uint8Array([6, 7]));
  await inPlace.close();
  expect([...(await folder.read('log-0'))]).toEqual([6, 7, 5]);
  expect([await folder.size('log-0'), await folder.size('log-1')]).toEqual([3, undefined]);
});

test('replaces a file by rename, and creates a file only once', async () => {
  const folder = await createLogFolder(await newPlace(), createMemoryLog());
  const created = await Promise.all([1, 2, 3, 4].map((byte) => folder.create('a', new Uint8Array([byte]))));
  expect(created.filter((isCreated) => isCreated)).toHaveLength(1);
  await folder.create('b', new Uint8Array([5]));
  await folder.rename('b', 'a');
  expect([await folder.list(), [...(await folder.read('a'))]]).toEqual([['a'], [5]]);
  await folder.remove('a');
  await folder.remove('a');
  expect(await folder.list()).toEqual([]);
});

test('rejects a folder in use, naming the process, until it is closed', async () => {
  const place = await newPlace();
  const first = await openStore(place);
  await expect(openStore(place)).rejects.toThrow(`process ${process.pid} on `);
  await first.close();
  await (await openStore(place)).close();
});

test('lets one of many processes open a folder', async () => {
  const place = await newPlace();
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => openStore(place)));
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['a dead process', async () => ({ ...(await createProcessTable().self()), pid: spawnSync('true').pid })],
  ['an earlier process with the same id', async () => ({ ...(await createProcessTable().self()), started: '1' })],
])('takes over the folder of %s at once', async (_, own) => {
  const place = await newPlace();
  await openStore(place, { ...createProcessTable(), self: own });
  await openStore(place);
  expect((await readdir(place)).filter((name) => name.startsWith('owner'))).toEqual(['owner-2']);
});

test.each([
  ['a dead process', () => JSON.stringify({ pid: spawnSync('true').pid, started: '' }), true],
  ['a process of an earlier boot', () => JSON.stringify({ pid: process.pid, started: 'another boot 1' }), true],
  ['an unknown process', () => 'not a lock', true],
  ['this process', () => JSON.stringify({ pid: process.pid, started: '' }), false],
])('handles the lock file that an older version left of %s', async (_, lock, isIgnored) => {
  const place = await newPlace();
  await writeFile(join(place, 'lock'), lock());
  const opened = openStore(place);
  if (!isIgnored) return expect(opened).rejects.toThrow(`process ${process.pid}, of an older version, is using the folder`);
  await opened;
  expect(await readdir(place)).toEqual(['owner-1']);
});

test.runIf(hasModes)('creates a private folder with private files', async () => {
  const place = join(await newPlace(), 'data');
  const store = await openStore(place);
  await store.load();
  await store.append('record');
  const writer = await store.beginSnapshot();
  await writer.add('chunk');
  await writer.finish();
  await store.close();
  const modes = await Promise.all((await readdir(place)).map(async (name) => (await stat(join(place, name))).mode & 0o777));
  expect(modes.length).toBeGreaterThan(3);
  expect([(await stat(place)).mode & 0o777, ...new Set(modes)]).toEqual([0o700, 0o600]);
});

test.runIf(hasModes)('removes access of others to existing files with a warning', async () => {
  const place = await newPlace();
  const store = await openStore(place);
  await store.load();
  await store.close();
  await chmod(place, 0o755);
  await chmod(join(place, 'log-0'), 0o644);
  await writeFile(join(place, 'notes.txt'), 'of the user', { mode: 0o644 });
  const log = createMemoryLog();
  await (await openStore(place, undefined, log)).close();
  const modes = await Promise.all(['.', 'log-0', 'notes.txt'].map(async (name) => (await stat(join(place, name))).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600, 0o644]);
  expect(log.lines).toEqual([
    {
      level: 'warn',
      event: 'other users had access to private files: it was withdrawn, but they may have read them',
      details: { paths: [`${place} (755)`, `${join(place, 'log-0')} (644)`] },
    },
  ]);
  const again = createMemoryLog();
  await openStore(place, undefined, again);
  expect(again.lines).toEqual([]);
});

test.runIf(hasModes)('rejects a shared folder, and leaves it unchanged', async () => {
  const place = join(await newPlace(), 'shared');
  await mkdir(place);
  await chmod(place, 0o1777);
  await expect(openStore(place)).rejects.toThrow(`${place} is shared by all users`);
  expect([(await stat(place)).mode & 0o7777, await readdir(place)]).toEqual([0o1777, []]);
});

test.runIf(hasModes && process.getuid?.() === 0)('rejects a folder of another user', async () => {
  const place = await newPlace();
  const { chown } = await import('node:fs/promises');
  await chown(place, 4711, 4711);
  await expect(openStore(place)).rejects.toThrow(`${place} belongs to user 4711, but this process runs as user 0`);
});
