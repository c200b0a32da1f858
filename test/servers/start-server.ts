import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../../', import.meta.url).pathname;
export const builtFolder: string = join(root, 'dist/node');
export const tokenFile: string = join(root, 'test/conformance/tokens.csv');

export interface StartedServer {
  readonly url: string;
  readonly kubeconfig: string;
  /** A temporary folder, removed when the server stops. */
  readonly folder: string;
  readonly process: ChildProcess;
  /** Its output so far, on stdout and stderr. */
  output(): string;
  /** Stops it with SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built server and waits until it is ready. */
export const startServer = (...flags: readonly string[]): Promise<StartedServer> =>
  startProgram(join(builtFolder, 'tabplane.js'), ...flags);

/** Starts a copy of the built server. */
export async function startProgram(program: string, ...flags: readonly string[]): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-test-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const child = spawn(process.execPath, [program, 'serve', '--kubeconfig', kubeconfig, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const url = await waitForUrl(child);
  return {
    url,
    kubeconfig,
    folder,
    process: child,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

function waitForUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const readOutput = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = /serving on (\S+)/.exec(output);
      if (match?.[1]) resolve(match[1]);
    };
    child.stdout?.on('data', readOutput);
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
}
