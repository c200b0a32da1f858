import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';

const sourceOf = (path: string): string => new URL(path, import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'tabplane-clients-'));
/** Packages that this machine lacks are installed, in a temporary folder or Maven's own one. Never by default. */
const mayDownload = process.env['TABPLANE_DOWNLOAD_CLIENTS'] === '1';

/** The command that runs a program with its client; undefined where the client is not installed, or its installation failed. */
type Command = readonly string[] | undefined;

const succeeds = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** Installs or builds a client. All output goes to stderr where a failure fails a test: Maven writes its errors to stdout. */
function installs([program = '', ...args]: readonly string[], options: Pick<SpawnSyncOptions, 'cwd' | 'env'> = {}): boolean {
  const output = mayDownload ? 2 : 'ignore';
  return spawnSync(program, args, { ...options, stdio: ['ignore', output, output] }).status === 0;
}

function pythonCommand(): Command {
  const source = sourceOf('python/scenario.py');
  if (succeeds('python3', '-c', 'import kubernetes')) return ['python3', source];
  if (!mayDownload) return undefined;
  const python = join(folder, 'python/bin/python');
  const isInstalled =
    installs(['python3', '-m', 'venv', join(folder, 'python')]) && installs([python, '-m', 'pip', 'install', '--quiet', 'kubernetes']);
  return isInstalled ? [python, source] : undefined;
}

/** Maven finds the libraries, the program is compiled when it starts. */
function javaCommand(name: string): Command {
  const source = sourceOf(`java/${name}`);
  const classPath = join(folder, `${name}.classpath`);
  const flags = ['--quiet', '--batch-mode', ...(mayDownload ? [] : ['--offline']), '-f', join(source, 'pom.xml')];
  if (!installs(['mvn', ...flags, 'dependency:build-classpath', `-Dmdep.outputFile=${classPath}`])) return undefined;
  return ['java', '-XX:TieredStopAtLevel=1', '-cp', readFileSync(classPath, 'utf8'), join(source, 'Scenario.java')];
}

/** Its dependencies take minutes to build, so that it is no test of every day. */
function controllerRuntimeCommand(): Command {
  if (!mayDownload) return undefined;
  const program = join(folder, 'controller-runtime');
  const options = { cwd: sourceOf('controller-runtime'), env: { ...process.env, CGO_ENABLED: '0' } };
  return installs(['go', 'build', '-mod=readonly', '-o', program, '.'], options) ? [program] : undefined;
}

const clients: Readonly<Record<string, { readonly command: Command; readonly steps: number }>> = {
  'the official Python client': { command: pythonCommand(), steps: 5 },
  'the official Java client': { command: javaCommand('official'), steps: 5 },
  'the client and manager of controller-runtime': { command: controllerRuntimeCommand(), steps: 6 },
  'the Java client of fabric8': { command: javaCommand('fabric8'), steps: 5 },
};

/** A client that was to be installed fails its test instead. */
const isSkipped = (command: Command): boolean => !command && !mayDownload;

for (const [name, { command }] of Object.entries(clients))
  if (isSkipped(command))
    process.stderr.write(`${name} is not installed: its test is skipped, unless TABPLANE_DOWNLOAD_CLIENTS=1 is set\n`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(Object.values(clients).every(({ command }) => isSkipped(command)))('programs with other clients', () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile, '--all-in-one', '--nodes', '1');
  });
  afterAll(() => server.stop());

  for (const [name, { command, steps }] of Object.entries(clients)) {
    test.skipIf(isSkipped(command))(`${name} works with objects, watches and connections`, { timeout: 120_000 }, () => {
      if (!command) throw new Error(`${name} could not be built or installed`);
      const [program = '', ...args] = command;
      const env = { ...process.env, KUBECONFIG: server.kubeconfig };
      const result = spawnSync(program, args, { env, encoding: 'utf8', timeout: 100_000 });
      expect(result.status, `${result.stdout}${result.stderr}`).toBe(0);
      expect(result.stdout.trim().split('\n')).toHaveLength(steps);
    });
  }
});
