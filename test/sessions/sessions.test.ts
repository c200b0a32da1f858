import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

/**
 * What the real kubectl said to the real server, line by line: the console's shell and its kubectl say the same to ours. A session
 * that differs stands in open.json with its reason; one that no longer does has to leave it.
 */
const folder = import.meta.dirname;
const recorded = join(folder, 'recorded');
const shell = join(folder, '../../dist/sessions/shell.js');
const open = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8')) as Readonly<Record<string, string>>;
const isFolder = (name: string): boolean => !name.includes('.');
const sessionsOf = (area: string): string[] => readdirSync(join(recorded, area)).map((file) => `${area}/${file}`);

/** The roles were aggregated, which is a controller's work. */
const withController = ['describe/14-rbac.txt'];
/** What `controllers` shows is done by those of workloads, which the project does not have. */
const areas = readdirSync(recorded).filter((area) => isFolder(area) && area !== 'controllers');

beforeAll(() => {
  execFileSync(process.execPath, [join(folder, 'build.mjs')]);
});

/** Replays sessions and tells those that differ, with how. */
function differing(server: StartedServer, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const words = ['sessions.mjs', 'replay', '-v', '--shell', `node ${shell}`, '--kubectl', 'none', '--kubeconfig', server.kubeconfig, ...files];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { cwd: recorded, maxBuffer: 1 << 26 }, (_error, told, complaint) => {
      const passed = Number(/^(\d+) passed/m.exec(told)?.[1] ?? Number.NaN);
      const parts = told.split(/^(?=FAIL |ok |commands:)/m).filter((part) => part.startsWith('FAIL '));
      if (passed + parts.length !== files.length) reject(new Error(`${told}\n${complaint}`));
      else resolve(new Map(parts.map((part) => [/^FAIL (\S+)/.exec(part)?.[1] ?? '', part])));
    });
  });
}

async function holds(server: StartedServer, files: readonly string[]): Promise<void> {
  const found = await differing(server, files);
  const unexpected = [...found].filter(([name]) => open[name] === undefined).map(([, how]) => how);
  expect(unexpected.join('\n')).toBe('');
  const names = files.map((file) => file.replace(/\.txt$/, ''));
  expect(
    names.filter((name) => open[name] !== undefined && !found.has(name)),
    'these hold now: take them out of open.json',
  ).toEqual([]);
}

describe('without controllers', () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--controllers=');
  });
  afterAll(() => server.stop());

  test.each(areas)('the sessions of %s go as they went', async (area) => {
    await holds(
      server,
      sessionsOf(area).filter((file) => !withController.includes(file)),
    );
  });
});

test('sessions with aggregated roles go as they went', async () => {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--with-controllers');
  try {
    await holds(server, withController);
  } finally {
    await server.stop();
  }
});
