import { type RunResult, run } from './simulate.ts';

const usage = `npm run simulate -- [--seeds N] [--from SEED] [--seed SEED] [--operations N] [--minutes N] [--processes N]
  --seeds N       how many runs, each from the next seed (100)
  --from SEED     the first of them (0)
  --seed SEED     one run alone, with its script
  --operations N  how many operations clients begin in a run (40)
  --minutes N     ends sooner, after so many minutes
  --processes N   how many go at once, each with its share of the seeds (1)
`;

/** After so many seeds it is told how far a run has come, so that a long one can be gone on with. */
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
  const { seeds, from, operations, minutes = Number.POSITIVE_INFINITY, scripted } = flags;
  const until = nowMs() + minutes * 60_000;
  const end = from + seeds;
  // Nobody reads the stacks of the errors that a run without a failure is full of.
  Error.stackTraceLimit = 0;
  for (let seed = from; seed < end && nowMs() < until; ) {
    const [block, startedMs] = [new Block(seed), nowMs()];
    for (; seed < Math.min(block.from + blockSize, end) && nowMs() < until; seed++) {
      const result = await run({ seed, operations });
      block.add(result);
      if (scripted) print(result.script.join('\n'));
      if (result.failure) return tellFailure(seed, operations, print);
    }
    print(block.told(nowMs() - startedMs));
    if (seed < end) print(`go on: npm run simulate -- --from ${seed} --seeds ${end - seed}`);
  }
  return 0;
}

/** What some runs one after the other did. */
class Block {
  readonly from: number;
  readonly #totals = { runs: 0, writes: 0, reads: 0, lives: 0 };

  constructor(from: number) {
    this.from = from;
  }

  add({ writes, reads, lives }: RunResult): void {
    this.#totals.runs++;
    this.#totals.writes += writes;
    this.#totals.reads += reads;
    this.#totals.lives += lives;
  }

  told(ms: number): string {
    const { runs, writes, reads, lives } = this.#totals;
    return `${runs} seeds from ${this.from} hold: ${writes} writes, ${reads} reads, ${lives} lives of servers in ${(ms / 1000).toFixed(1)} s`;
  }
}

/** The words for each of the processes that share the work; undefined when one does it alone. */
export function sharesOf(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const { processes = 1, from = 0, seeds = 0, operations, minutes } = readFlags(words) ?? {};
  if (processes <= 1) return undefined;
  const starts = Array.from({ length: processes + 1 }, (_, index) => from + Math.floor((seeds * index) / processes));
  const common = ['--operations', String(operations), ...(minutes === undefined ? [] : ['--minutes', String(minutes)])];
  return starts.slice(1).map((end, index) => {
    const start = starts[index] ?? end;
    return ['--from', String(start), '--seeds', String(end - start), ...common];
  });
}

/** The shortest run of the same seed that fails, and all that happened in it. */
async function tellFailure(seed: number, operations: number, print: Console['print']): Promise<number> {
  Error.stackTraceLimit = 30;
  let shortest = { operations, result: await run({ seed, operations }) };
  for (let fewer = 1; fewer < operations; fewer++) {
    const shorter = await run({ seed, operations: fewer });
    if (!shorter.failure) continue;
    shortest = { operations: fewer, result: shorter };
    break;
  }
  print(shortest.result.script.join('\n'));
  print(`\nseed ${seed} breaks a rule: ${shortest.result.failure?.stack ?? ''}`);
  print(`again: npm run simulate -- --seed ${seed} --operations ${shortest.operations}`);
  return 1;
}

interface Flags {
  readonly seeds: number;
  readonly from: number;
  readonly operations: number;
  /** Undefined: as long as it takes. */
  readonly minutes: number | undefined;
  readonly processes: number;
  readonly scripted: boolean;
}

function readFlags(words: readonly string[]): Flags | undefined {
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
    operations: given.get('--operations') ?? 40,
    minutes: given.get('--minutes'),
    processes: one === undefined ? (given.get('--processes') ?? 1) : 1,
    scripted: one !== undefined,
  };
}
