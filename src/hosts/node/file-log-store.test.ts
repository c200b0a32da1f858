import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLogFolder } from './file-log-store.ts';

const places: string[] = [];
afterEach(() => Promise.all(places.splice(0).map((place) => rm(place, { recursive: true }))));

async function newPlace(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'log-folder-'));
  places.push(place);
  return place;
}

test('bytes are appended, cut and read', async () => {
  const folder = await createLogFolder(join(await newPlace(), 'made', 'when', 'missing'));
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
});

test('a renamed file replaces the one before', async () => {
  const folder = await createLogFolder(await newPlace());
  for (const [name, byte] of [
    ['a', 1],
    ['b', 2],
  ] as const) {
    const file = await folder.open(name);
    await file.append(new Uint8Array([byte]));
    await file.close();
  }
  await folder.rename('a', 'b');
  expect([await folder.list(), [...(await folder.read('b'))]]).toEqual([['b'], [1]]);
  await folder.remove('b');
  expect(await folder.list()).toEqual([]);
});

test('a folder in use is refused, naming the process, until it is let go', async () => {
  const place = await newPlace();
  const [first, second] = [await createLogFolder(place), await createLogFolder(place)];
  await first.lock();
  await expect(second.lock()).rejects.toThrow(`process ${process.pid} is using ${place}`);
  await first.unlock();
  await second.lock();
  expect(await readdir(place)).toEqual(['lock']);
});

test('of many who ask at once one gets the folder', async () => {
  const place = await newPlace();
  const asked = await Promise.allSettled(Array.from({ length: 20 }, async () => (await createLogFolder(place)).lock()));
  expect(asked.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['a dead process', () => JSON.stringify({ pid: spawnSync('true').pid, started: '' })],
  ['an earlier process with the same id', () => JSON.stringify({ pid: process.pid, started: 'another boot 1' })],
  ['nobody knows whom', () => 'not a lock'],
])('the lock of %s does not count', async (_, lock) => {
  const place = await newPlace();
  await writeFile(join(place, 'lock'), lock());
  await (await createLogFolder(place)).lock();
  expect(await readdir(place)).toEqual(['lock']);
});
