import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { ConfigurationWatcher, serverId } from './configuration-watcher.ts';

test('computes the server id of the real server for a host', () => {
  expect(serverId('vm')).toMatch(/^apiserver-[a-z2-7]{26}$/);
  expect(serverId('vm')).not.toBe(serverId('vn'));
});

test('counts rejected content without applying it, and applies the next valid one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'followed-'));
  const path = join(folder, 'file');
  await writeFile(path, 'first');
  const log = createMemoryLog();
  const clock = createManualClock();
  const followed = new ConfigurationWatcher('authorization', { path, content: 'first' }, { clock, random: createSeededRandom(1), log });
  const before = followed.contentHash;
  const applied: string[] = [];
  const end = followed.watch(async (text) => {
    // The file may be empty for a moment while it is written.
    if (text !== 'second') throw new Error('cannot be');
    applied.push(text);
  });
  const isCounted = (status: 'success' | 'failure') => () => followed.reloads.has(status);
  await writeFile(path, 'broken');
  await expect.poll(isCounted('failure')).toBe(true);
  expect([applied, followed.contentHash]).toEqual([[], before]);
  expect(log.lines.some(({ level }) => level === 'error')).toBe(true);
  await writeFile(path, 'second');
  await expect.poll(isCounted('success')).toBe(true);
  expect(applied).toEqual(['second']);
  expect(followed.contentHash).not.toBe(before);
  end();
  await rm(folder, { recursive: true });
});

test('content that was rejected is tried again, unless it has changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'retried-'));
  const path = join(folder, 'file');
  await writeFile(path, 'first');
  const clock = createManualClock();
  const watcher = new ConfigurationWatcher(
    'encryption',
    { path, content: 'first' },
    { clock, random: createSeededRandom(1), log: createMemoryLog() },
  );
  const tried: string[] = [];
  let isBroken = true;
  const end = watcher.watch(async (text) => {
    tried.push(text);
    if (isBroken) throw new Error('cannot be');
  }, 5_000);
  await writeFile(path, 'second');
  await expect.poll(() => tried.at(-1)).toBe('second');
  await expect.poll(() => watcher.reloads.get('failure')?.count).toBeGreaterThan(0);
  const attempts = tried.length;
  await clock.advance(4_999);
  expect(tried.length).toBe(attempts);
  isBroken = false;
  await clock.advance(1);
  await expect.poll(() => watcher.reloads.get('success')?.count).toBe(1);
  expect(tried.slice(attempts)).toEqual(['second']);
  await clock.advance(5_000);
  expect(tried.length).toBe(attempts + 1);
  end();
  await rm(folder, { recursive: true });
});
