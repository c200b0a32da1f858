// Starts the built server in a separate process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The arguments of `start` for a server with the token `admin-token` and a temporary folder. */
export function serveArguments(folder, ...flags) {
  const tokens = join(root, 'test/conformance/tokens.csv');
  const baseFlags = ['--names', 'kubernetes', '--token-auth-file', tokens, '--kubeconfig', join(folder, 'kubeconfig'), '--controllers='];
  return [join(root, 'dist/node/tabplane.js'), 'serve', ...baseFlags, ...flags];
}

/** Resolves when the process prints its URL; `readyMs` is the time until then. */
export function start(args) {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const url = /serving on (\S+)/.exec(chunk.toString())?.[1];
      const stop = () => {
        child.kill('SIGTERM');
        return ended;
      };
      if (url) resolve({ url, pid: child.pid, readyMs: performance.now() - started, stop });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a server ended with ${code} before it served`)));
  });
}

export async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'tabplane-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
