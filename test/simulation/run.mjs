#!/usr/bin/env node
// npm run simulate: builds the simulation, since Node 20 does not run its TypeScript, and runs it; with --processes, in several at once.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const words = process.argv.slice(2);
// A share of another's work is run as the other has built it.
const built = process.env.TABPLANE_SIMULATION ?? (await buildOnce());
const { simulate, sharesOf } = await import(pathToFileURL(built).href);
const shares = sharesOf(words);
const codes = shares
  ? await Promise.all(shares.map(runElsewhere))
  : [await simulate(words, { print: console.log, nowMs: () => performance.now() })];
process.exit(Math.max(...codes));

async function buildOnce() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  // Below the root, so that the packages it imports are found.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/simulate-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: join(root, 'test/simulation/cli.ts'),
      outDir: folder,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: 'cli.js' } },
    },
  });
  return join(folder, 'cli.js');
}

async function runElsewhere(share) {
  const child = fork(fileURLToPath(import.meta.url), share, { env: { ...process.env, TABPLANE_SIMULATION: built } });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
