// Servers to measure: programs for Node that say where they serve.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Resolves when it serves. */
export function start(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const url = /serving on (\S+)/.exec(chunk.toString())?.[1];
      if (url) resolve({ url, stop: () => child.kill('SIGTERM') });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a server ended with ${code} before it served`)));
  });
}
