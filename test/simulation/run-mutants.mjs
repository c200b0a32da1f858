// The mutation run: each mutant is built and run until a seed breaks a rule. A mutant that no seed finds shows a gap in the rules.
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSimulation } from './build-simulation.mjs';

/** How many mutants may survive, of all. */
const mayBeMissed = 2;
/** A mutant may make a server loop forever: after this time it counts as found. */
const longestMs = 240_000;

/** @returns {Promise<number>} the exit code */
export async function runMutants(mutants, words) {
  const flag = (name, fallback) => (words.includes(name) ? words[words.indexOf(name) + 1] : fallback);
  // By parts of their names, with commas between them.
  const only = flag('--only', '').split(',');
  const seeds = flag('--seeds', '100');
  const from = flag('--from', '0');
  const chosen = mutants.filter(({ name }) => only.some((part) => name.includes(part)));
  let missed = 0;
  for (const mutant of chosen) {
    const found = await findMutant(mutant, { seeds, from });
    if (!found) missed++;
    console.log(
      `${found ? 'found ' : 'MISSED'} ${mutant.name.padEnd(58)} ${found ? `seed ${String(found.seed).padStart(3)}: ${found.rule}` : ''}`,
    );
  }
  console.log(`${chosen.length - missed} of ${chosen.length} mutants found, with ${seeds} seeds from ${from} for each`);
  return missed <= mayBeMissed ? 0 : 1;
}

/** The first seed that breaks a rule, in a process of its own. */
async function findMutant(mutant, { seeds, from }) {
  const { file, folder } = await buildSimulation(mutant);
  try {
    return await new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(new URL('./find-violation.mjs', import.meta.url)), [file, '--seeds', seeds, '--from', from], {
        execArgv: ['--max-semi-space-size=64'],
      });
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        resolve({ seed: -1, rule: `the run does not end within ${longestMs / 1000} s` });
      }, longestMs);
      child.once('message', resolve);
      child.once('exit', (code) => {
        clearTimeout(timer);
        if (code) reject(new Error(`mutant ${mutant.name}: its process ends with ${code}`));
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
