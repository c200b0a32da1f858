import { Violation } from './checker/violation.ts';
import { defaultComponentOperations, runComponents } from './components/simulate-components.ts';
import { Coverage } from './environment.ts';
import { mutants } from './mutants/index.ts';
import { defaultOperations, type RunOptions, type RunResult, run } from './simulate.ts';

export { mutants };

interface Simulation {
  /** The first word of the command. */
  readonly word?: string;
  readonly run: (options: RunOptions) => Promise<RunResult>;
  readonly defaultOperations: number;
}

const serverSimulation: Simulation = { run, defaultOperations };
const componentSimulation: Simulation = { word: 'components', run: runComponents, defaultOperations: defaultComponentOperations };

const usage = `npm run simulate -- [components] [--seeds N] [--from SEED] [--seed SEED] [--operations N] [--minutes N] [--processes N] [--mutants]
  components      controllers, scheduler and nodes instead of servers and stores
  --seeds N       how many runs, each from the next seed (100)
  --from SEED     the first of them (0)
  --seed SEED     one run alone, with its transcript
  --operations N  how many operations clients begin in a run (${defaultOperations}; of components: ${defaultComponentOperations})
  --minutes N     ends sooner, after so many minutes
  --processes N   how many processes share the seeds (1)
  --mutants       plants each fault of test/simulation/mutants in a copy and runs seeds until one finds it
`;

/** Progress is printed after so many seeds, so that a long run can be resumed. */
const blockSize = 1000;

export interface Console {
  print(line: string): void;
  nowMs(): number;
}

/** The exit code. */
export async function simulate(words: readonly string[], { print, nowMs }: Console): Promise<number> {
  const flags = readFlags(words);
  if (!flags) {
    print(usage);
    return 2;
  }
  const { seeds, from, simulation, operations, minutes = Number.POSITIVE_INFINITY, isTranscribed } = flags;
  const untilMs = nowMs() + minutes * 60_000;
  const end = from + seeds;
  const coverage = new Coverage();
  // A run without a failure creates many errors whose stacks are never read.
  Error.stackTraceLimit = 0;
  for (let seed = from; seed < end && nowMs() < untilMs; ) {
    const [first, startedMs] = [seed, nowMs()];
    for (; seed < Math.min(first + blockSize, end) && nowMs() < untilMs; seed++) {
      const result = await simulation.run({ seed, operations });
      coverage.add(result.coverage);
      if (isTranscribed) print(result.transcript.join('\n'));
      if (result.failure) return reportFailure(simulation, seed, operations, print);
    }
    print(`${seed - first} seeds from ${first} pass in ${((nowMs() - startedMs) / 1000).toFixed(1)} s`);
    if (seed < end) print(`resume: ${commandOf(simulation)} --from ${seed} --seeds ${end - seed}`);
  }
  for (const [what, times] of [...coverage.counts].sort()) print(`${String(times).padStart(10)} ${what}`);
  return 0;
}

const commandOf = ({ word }: Simulation): string => ['npm run simulate --', word].filter(Boolean).join(' ');

/** The first seed that breaks a rule, and which; undefined when all pass. */
export async function findViolation(words: readonly string[]): Promise<{ readonly seed: number; readonly rule: string } | undefined> {
  const { seeds, from, operations, simulation } = readFlags(words) ?? { seeds: 0, from: 0, operations: 0, simulation: serverSimulation };
  Error.stackTraceLimit = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const { failure } = await simulation.run({ seed, operations });
    if (failure) return { seed, rule: failure instanceof Violation ? failure.rule : failure.message };
  }
  return undefined;
}

/** Arguments for each of the processes that share the seeds; undefined when one process runs all. */
export function sharesOf(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const { processes = 1, from = 0, seeds = 0, operations, minutes, simulation } = readFlags(words) ?? {};
  if (processes <= 1) return undefined;
  const starts = Array.from({ length: processes + 1 }, (_, index) => from + Math.floor((seeds * index) / processes));
  const word = simulation?.word === undefined ? [] : [simulation.word];
  const common = ['--operations', String(operations), ...(minutes === undefined ? [] : ['--minutes', String(minutes)])];
  return starts.slice(1).map((end, index) => {
    const start = starts[index] ?? end;
    return [...word, '--from', String(start), '--seeds', String(end - start), ...common];
  });
}

/** Prints the shortest run of the seed that fails, with its transcript. */
async function reportFailure(simulation: Simulation, seed: number, operations: number, print: Console['print']): Promise<number> {
  const { run } = simulation;
  Error.stackTraceLimit = 30;
  let shortest: { readonly operations: number; readonly result: RunResult } = { operations, result: await run({ seed, operations }) };
  for (let fewer = 1; fewer < operations; fewer++) {
    const result = await run({ seed, operations: fewer });
    if (!result.failure) continue;
    shortest = { operations: fewer, result };
    break;
  }
  print(shortest.result.transcript.join('\n'));
  print(`\nseed ${seed} breaks a rule: ${shortest.result.failure?.stack ?? ''}`);
  print(`again: ${commandOf(simulation)} --seed ${seed} --operations ${shortest.operations}`);
  return 1;
}

interface Flags {
  readonly simulation: Simulation;
  readonly seeds: number;
  readonly from: number;
  readonly operations: number;
  /** Undefined: no limit. */
  readonly minutes: number | undefined;
  readonly processes: number;
  readonly isTranscribed: boolean;
}

function readFlags([first, ...rest]: readonly string[]): Flags | undefined {
  const simulation = first === componentSimulation.word ? componentSimulation : serverSimulation;
  const words = simulation === componentSimulation || first === undefined ? rest : [first, ...rest];
  const given = new Map<string, number>();
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    if (!['--seeds', '--from', '--seed', '--operations', '--minutes', '--processes'].includes(name) || !/^\d+$/.test(value))
      return undefined;
    given.set(name, Number(value));
  }
  const one = given.get('--seed');
  return {
    seeds: one === undefined ? (given.get('--seeds') ?? 100) : 1,
    from: one ?? given.get('--from') ?? 0,
    simulation,
    operations: given.get('--operations') ?? simulation.defaultOperations,
    minutes: given.get('--minutes'),
    processes: one === undefined ? (given.get('--processes') ?? 1) : 1,
    isTranscribed: one !== undefined,
  };
}
