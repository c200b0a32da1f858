import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const source = new URL('go', import.meta.url).pathname;
const hasModules = spawnSync('go', ['mod', 'download'], { cwd: source }).status === 0;
if (!hasModules) process.stderr.write('no Go, or no way to its modules: the test with the official Go client is skipped\n');

/** Without optimization, debug information and C, the program builds in less CPU time: its dependencies are large, and it runs for seconds. */
const fastBuild = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];
/** The Go compiler spends less time on garbage collection. */
const fastBuildVariables = { CGO_ENABLED: '0', GOGC: '400' };

describe.skipIf(!hasModules)('the official Go client', () => {
  let server: StartedServer;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabplane-go-'));
    // The program creates the service account itself, instead of the controller.
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--controllers=');
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('informers, conflicts, pages, apply, eviction and elections work over protobuf', { timeout: 900_000 }, () => {
    const program = join(folder, 'scenario');
    const built = spawnSync('go', ['build', '-mod=readonly', ...fastBuild, '-o', program, '.'], {
      cwd: source,
      env: { ...process.env, ...fastBuildVariables },
      encoding: 'utf8',
    });
    expect(built.stderr).toBe('');
    const result = spawnSync(program, { env: { ...process.env, KUBECONFIG: server.kubeconfig }, encoding: 'utf8', timeout: 120_000 });
    expect(result.status, `${result.stdout}${result.stderr}`).toBe(0);
    expect(result.stdout.trim().split('\n')).toHaveLength(12);
  });
});
