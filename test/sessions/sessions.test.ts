import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSigner } from '../../src/hosts/certificate-authority.ts';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';
import { type ShellServer, startShellServer } from './shell-server.ts';

/**
 * Replays recorded sessions of the real kubectl with the real server: the console's shell and its kubectl must print the same. A session
 * that differs is listed in open.json with its reason; one that passes must be removed from it.
 */
const folder = import.meta.dirname;
const recorded = join(folder, 'recorded');
const open = JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8')) as Readonly<Record<string, string>>;
const isFolder = (name: string): boolean => !name.includes('.');
const sessionsOf = (area: string): string[] => readdirSync(join(recorded, area)).map((file) => `${area}/${file}`);

/** Recorded with the roles that a controller aggregates, and a server with client certificates. */
const withRoles = ['auth/05-grant.txt', 'auth/07-impersonation.txt', 'describe/14-rbac.txt'];
/** They print the ages of fixed dates: recorded on this day. */
const withDay = ['describe/03-pod-status.txt', 'describe/19-events.txt'];
const recordedDay = Date.UTC(2026, 10, 21, 12);
/** `controllers` needs workload controllers, which the project does not have. */
const areas = readdirSync(recorded).filter((area) => isFolder(area) && area !== 'controllers');

/** Replays sessions and returns the failed ones with their differences. */
function replaySessions(server: StartedServer, shells: ShellServer, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const options = ['-v', '--shell', shells.command, '--kubectl', 'none', '--kubeconfig', server.kubeconfig];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['sessions.mjs', 'replay', ...options, ...files],
      { cwd: recorded, maxBuffer: 1 << 26 },
      (_error, output, errorOutput) => {
        const passed = Number(/^(\d+) passed/m.exec(output)?.[1] ?? Number.NaN);
        const parts = output.split(/^(?=FAIL |ok |commands:)/m).filter((part) => part.startsWith('FAIL '));
        if (passed + parts.length !== files.length) reject(new Error(`${output}\n${errorOutput}`));
        else resolve(new Map(parts.map((part) => [/^FAIL (\S+)/.exec(part)?.[1] ?? '', part])));
      },
    );
  });
}

async function expectRecordedOutput(server: StartedServer, shells: ShellServer, files: readonly string[]): Promise<void> {
  const differing = await replaySessions(server, shells, files);
  const unexpected = [...differing].filter(([name]) => open[name] === undefined).map(([, difference]) => difference);
  expect(unexpected.join('\n')).toBe('');
  const names = files.map((file) => file.replace(/\.txt$/, ''));
  expect(
    names.filter((name) => open[name] !== undefined && !differing.has(name)),
    'these pass now: remove them from open.json',
  ).toEqual([]);
}

/** Recorded with this project's server. */
const compared = join(folder, 'compared');
const comparedFiles = readdirSync(compared)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => join(compared, file));
const isRandom = (file: string): boolean => file.includes('random-flags');

let shells: ShellServer;
beforeAll(async () => {
  shells = await startShellServer();
});
afterAll(() => shells.stop());

describe('without controllers', () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--controllers=');
  });
  afterAll(() => server.stop());

  test.each(areas)('the sessions of %s print the recorded output', async (area) => {
    await expectRecordedOutput(
      server,
      shells,
      sessionsOf(area).filter((file) => !withRoles.includes(file) && !withDay.includes(file)),
    );
  });

  test('commands with random flags print the output of kubectl', () =>
    expectRecordedOutput(server, shells, comparedFiles.filter(isRandom)));

  test.each(comparedFiles.filter((file) => !isRandom(file)))('%s prints the output of kubectl', async (file) => {
    await expectRecordedOutput(server, shells, [file]);
  });
});

// The replayer waits for the controllers because of the name of the folder.
test('sessions with running containers print the output of kubectl', async () => {
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--all-in-one', '--nodes', '1');
  try {
    await expectRecordedOutput(server, shells, [join(compared, 'controllers', 'logs-and-exec.txt')]);
  } finally {
    await server.stop();
  }
});

test('sessions with aggregated roles print the recorded output', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tabplane-ca-'));
  const authority = join(directory, 'ca.crt');
  writeFileSync(authority, (await createSigner(Date.now())).certificate);
  const flags = ['--token-auth-file', tokenFile, '--client-ca-file', authority, '--controllers=clusterrole-aggregation-controller'];
  const server = await startServer('--names', 'kubernetes', ...flags);
  try {
    await expectRecordedOutput(server, shells, withRoles);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
});

test('sessions with the ages of fixed dates print the recorded output on the recorded day', async () => {
  const offset = recordedDay - Date.now();
  // Of the server and of the replayer.
  vi.stubEnv('NODE_OPTIONS', `--import ${join(folder, 'shift-clock.mjs')}`);
  vi.stubEnv('CLOCK_OFFSET_MS', String(offset));
  const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--controllers=');
  const shellsOfDay = await startShellServer(() => Date.now() + offset);
  try {
    await expectRecordedOutput(server, shellsOfDay, withDay);
  } finally {
    vi.unstubAllEnvs();
    await Promise.all([server.stop(), shellsOfDay.stop()]);
  }
});
