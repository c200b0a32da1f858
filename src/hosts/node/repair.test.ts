import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type Env } from '../../env/index.ts';
import { openFileLogStore, openLogKeySpace, type TimedKeySpace } from '../../storage/index.ts';
import { repair } from './repair.ts';
import { createLogFolder } from './storage/log-folder.ts';

const env: Env = { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() };
const places: string[] = [];
afterEach(() => Promise.all(places.splice(0).map((place) => rm(place, { recursive: true }))));

async function open(dataDir: string): Promise<TimedKeySpace> {
  const store = await openFileLogStore({ ...env, folder: await createLogFolder(dataDir, env.log), sync: 'always', reserveBytes: 1000 });
  return openLogKeySpace({ ...env, store, onDamage: 'refuse' });
}

/** A folder with the keys a, b and c. */
async function createData(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'repair-'));
  places.push(place);
  const dataDir = join(place, 'data');
  const space = await open(dataDir);
  for (const key of ['a', 'b', 'c']) await space.commit({ key, expected: 'absent', value: 'value' });
  await space.close();
  return dataDir;
}

async function run(...words: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const code = await repair(words, env, (part) => {
    text += part;
  });
  return { code, text };
}

test('reports an intact folder', async () => {
  const dataDir = await createData();
  expect(await run('--data-dir', dataDir)).toEqual({ code: 0, text: `${dataDir} is intact: revisions up to 4, 3 keys\n` });
});

test('shows the damage and the loss, then copies the folder and cuts the log', async () => {
  const dataDir = await createData();
  const path = join(dataDir, 'log-0');
  const damaged = (await readFile(path, 'utf8')).replace('["b","value"]', '["b","VALUE"]');
  await writeFile(path, damaged);
  const at = damaged.indexOf('\n', damaged.indexOf('"a"')) + 1;
  await expect(open(dataDir)).rejects.toMatchObject({ code: 'corrupt' });
  const shown = await run('--data-dir', dataDir);
  expect(shown.code).toBe(1);
  expect(shown.text.split('\n')).toEqual([
    expect.stringMatching(`log-0 is damaged at byte ${at}: the record of \\d+ bytes there does not match its checksum`),
    'Cutting the log there loses revisions 3 to 4 at least. Of these can be read:',
    '  4 write  c',
    'Nothing was changed. With --write the folder is copied, and the log is cut there.',
    '',
  ]);
  expect(await readFile(path, 'utf8')).toBe(damaged);

  expect(await run(`--data-dir=${dataDir}`, '--write')).toMatchObject({ code: 0, text: expect.stringContaining('and the log was cut.') });
  const [copy = ''] = (await readdir(join(dataDir, '..'))).filter((name) => name.startsWith('data.backup-2026-01-01T'));
  expect(await readFile(join(dataDir, '..', copy, 'log-0'), 'utf8')).toBe(damaged);
  expect((await stat(join(dataDir, '..', copy))).mode & 0o077).toBe(0);
  const space = await open(dataDir);
  expect((await space.range({ prefix: '' })).entries.map(({ key }) => key)).toEqual(['a']);
  await space.close();
});

test('rejects a folder in use, or a missing one', async () => {
  const dataDir = await createData();
  const space = await open(dataDir);
  await expect(run('--data-dir', dataDir, '--write')).rejects.toThrow('a data folder has one server at a time');
  await space.close();
  await expect(run('--data-dir', join(dataDir, 'missing'))).rejects.toThrow('there is no data folder');
  await expect(run('--data')).rejects.toThrow('unknown word "--data"');
});
