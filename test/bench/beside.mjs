// Runs the same load alternately on this server and on another Kubernetes API server on one machine, and prints the ratios.
//   npm run bench -- beside --base-url https://127.0.0.1:6443 --token T --pids 12,34
// `--pids` are the other server's processes, including its store. It must be running, with an empty store.
import { benchFanOut, benchLists, benchOperations, pidsOf } from './load.mjs';
import { median } from './measure.mjs';
import { inMemory, onDisk, withServer } from './over-https.mjs';
import { number } from './table.mjs';

const rounds = 3;

const writes = ['create a ConfigMap', 'update it', 'merge patch it', 'apply a Deployment'].map((name) => `${name}, 16 at once, CPU ms`);
/** The maximum ratio of this server's figure to the other one's. */
const goals = {
  ...Object.fromEntries(writes.map((name) => [name, 1 / 8])),
  'get it, 16 at once, CPU ms': 1 / 3,
  'list of 10,000 pods, whole, ms': 1 / 3,
  'list of 10,000 pods, in pages of 500, ms': 1 / 2,
  '1,000 watchers have 100 changes, ms': 1 / 4,
};
const durableGoals = Object.fromEntries(writes.map((name) => [name, 1 / 5]));

const runOperations = (target) => benchOperations(target, { count: 2000, connections: [16], rounds: 1 });
const parts = [
  { title: '', flagsIn: inMemory, run: runOperations, goals },
  { title: ' (data on disk)', flagsIn: onDisk, run: runOperations, goals: durableGoals },
  { title: '', flagsIn: inMemory, run: (target) => benchLists(target, { rounds: 1 }), goals },
  { title: '', flagsIn: inMemory, run: (target) => benchFanOut(target, { rounds: 1 }), goals },
];

/** A line for every figure: this server's, the other's, their ratio, and the goal for the ratio. */
export async function besideTable({ 'base-url': baseUrl, token, pids }) {
  if (baseUrl === undefined || token === undefined) throw new Error('beside needs --base-url URL --token T --pids 12,34');
  const other = { baseUrl, token, pids: pidsOf(pids) };
  const lines = [line('', 'this one', 'the other', 'part', 'goal')];
  for (const { title, flagsIn, run, goals } of parts) {
    const [ours, theirs] = await measureAlternately(flagsIn, other, run);
    for (const [name, figure] of Object.entries(ours)) {
      if (theirs[name] === undefined) continue;
      lines.push(compareFigures(`${name}${title}`, figure, theirs[name], goals[name]));
    }
  }
  return lines.join('\n');
}

function measureAlternately(flagsIn, other, run) {
  return withServer(flagsIn, async (own) => {
    const all = [[], []];
    for (let round = 0; round < rounds; round++) for (const [i, target] of [own, other].entries()) all[i].push(await run(target));
    return all.map(medians);
  });
}

/** Deleted objects stay in the history for minutes: only the first round's memory is that of its objects. */
function medians(figures) {
  const [first] = figures;
  const middle = (name) => (name.startsWith('memory') ? first[name] : median(figures.map((one) => one[name])));
  return Object.fromEntries(Object.keys(first).map((name) => [name, middle(name)]));
}

function compareFigures(name, own, other, goal) {
  const part = own / other;
  const verdict = goal === undefined || part <= goal ? '' : 'below goal';
  return line(name, number(own), number(other), number(part), goal === undefined ? '' : `<= ${number(goal)}`, verdict);
}

function line(name, own, other, part, goal, verdict = '') {
  return `  ${name.padEnd(58)}${own.padStart(10)}${other.padStart(11)}${part.padStart(8)}   ${goal.padEnd(9)}${verdict}`.trimEnd();
}
