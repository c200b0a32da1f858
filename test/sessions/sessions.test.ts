import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

/**
 * Replays recorded sessions of the real kubectl with the real server: the console's shell and its kubectl must print the same. A session
 * that differs is listed in open.json with its reason; one that passes must be removed from it.
 */
const folder = import.meta.dirname;
const recorded = join(folder, 'recorded');
const shell = join(folder, '../../dist/sessions/shell.js');
const open = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8')) as Readonly<Record<string, string>>;
const isFolder = (name: string): boolean => !name.includes('.');
const sessionsOf = (area: string): string[] => readdirSync(join(recorded, area)).map((file) => `${area}/${file}`);

/** Needs aggregated roles, which a controller writes. */
const withController = ['describe/14-rbac.txt'];
/** `controllers` needs workload controllers, which the project does not have. */
const areas = readdirSync(recorded).filter((area) => isFolder(area) && area !== 'controllers');

beforeAll(() => {
  execFileSync(process.execPath, [join(folder, 'build.mjs')]);
});

/** Replays sessions and returns the failed ones with their differences. */
function replaySessions(server: StartedServer, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const words = ['sessions.mjs', 'replay', '-v', '--shell', `node ${shell}`, '--kubectl', 'none', '--kubeconfig', server.kubeconfig, ...files];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { cwd: recorded, maxBuffer: 1 << 26 }, (_error, output, errorOutput) => {
      const passed = Number(/^(\d+) passed/m.exec(output)?.[1] ?? Number.NaN);
      const parts = output.split(/^(?=FAIL |ok |commands:)/m).filter((part) => part.startsWith('FAIL '));
      if (passed + parts.length !== files.length) reject(new Error(`${output}\n${errorOutput}`));
      else resolve(new Map(parts.map((part) => [/^FAIL (\S+)/.exec(part)?.[1] ?? '', part])));
    });
  });
}

async function expectRecordedOutput(server: StartedServer, files: readonly string[]): Promise<void> {
  const differing = await replaySessions(server, files);
  const unexpected = [...differing].filter(([name]) => open[name] === undefined).map(([, difference]) => difference);
  expect(unexpected.join('\n')).toBe('');
  const names = files.map((file) => file.replace(/\.txt$/, ''));
  expect(
    names.filter((name) => open[name] !== undefined && !differing.has(name)),
    'these pass now: remove them from open.json',
  ).toEqual([]);
}

describe('without controllers', () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--controllers=');
  });
  afterAll(() => server.stop());

  test.each(areas)('the sessions of %s print the recorded output', async (area) => {
    await expectRecordedOutput(
      server,
      sessionsOf(area).filter((file) => !withController.includes(file)),
    );
  });
});

test('sessions with aggregated roles print the recorded output', async () => {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--with-controllers');
  try {
    await expectRecordedOutput(server, withController);
  } finally {
    await server.stop();
  }
});
