#!/usr/bin/env node
// npm run simulate: builds the simulation and runs it; with --processes, in several at once; with --mutants, once for each planted fault.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSimulation } from './build-simulation.mjs';
import { runMutants } from './run-mutants.mjs';

const words = process.argv.slice(2);
// The processes that share the seeds run the build of the first one.
const built = process.env.TABPLANE_SIMULATION ?? (await buildOnce());
const { simulate, sharesOf, mutants } = await import(pathToFileURL(built).href);
process.exit(words.includes('--mutants') ? await runMutants(mutants, words) : await runSeeds());

async function runSeeds() {
  const shares = sharesOf(words);
  const codes = shares
    ? await Promise.all(shares.map(runElsewhere))
    : [await simulate(words, { print: console.log, nowMs: () => performance.now() })];
  return Math.max(...codes);
}

async function buildOnce() {
  const { file, folder } = await buildSimulation();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return file;
}

async function runElsewhere(share) {
  const child = fork(fileURLToPath(import.meta.url), share, { env: { ...process.env, TABPLANE_SIMULATION: built } });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
