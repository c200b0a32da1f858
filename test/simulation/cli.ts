import { type RunResult, run } from './simulate.ts';

const usage = `npm run simulate -- [--seeds N] [--from SEED] [--seed SEED] [--operations N] [--minutes N]
  --seeds N       how many runs, each from the next seed (100)
  --from SEED     the first of them (0)
  --seed SEED     one run alone, with its script
  --operations N  how many operations clients begin in a run (40)
  --minutes N     ends sooner, after so many minutes
`;

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
  const { seeds, from, operations, minutes, scripted } = flags;
  const startedMs = nowMs();
  const totals = { runs: 0, writes: 0, reads: 0, lives: 0 };
  for (let seed = from; seed < from + seeds && nowMs() - startedMs < minutes * 60_000; seed++) {
    const result = await run({ seed, operations });
    totals.runs++;
    totals.writes += result.writes;
    totals.reads += result.reads;
    totals.lives += result.lives;
    if (scripted) print(result.script.join('\n'));
    if (result.failure) return tellFailure(seed, operations, result, print);
  }
  const seconds = ((nowMs() - startedMs) / 1000).toFixed(1);
  const { runs, writes, reads, lives } = totals;
  print(`${runs} seeds from ${from} hold: ${writes} writes, ${reads} reads, ${lives} lives of servers in ${seconds} s`);
  return 0;
}

/** The shortest run of the same seed that fails, and all that happened in it. */
async function tellFailure(seed: number, operations: number, result: RunResult, print: Console['print']): Promise<number> {
  let shortest = { operations, result };
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
  readonly minutes: number;
  readonly scripted: boolean;
}

function readFlags(words: readonly string[]): Flags | undefined {
  const given = new Map<string, number>();
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    if (!['--seeds', '--from', '--seed', '--operations', '--minutes'].includes(name) || !/^\d+$/.test(value)) return undefined;
    given.set(name, Number(value));
  }
  const one = given.get('--seed');
  return {
    seeds: one === undefined ? (given.get('--seeds') ?? 100) : 1,
    from: one ?? given.get('--from') ?? 0,
    operations: given.get('--operations') ?? 40,
    minutes: given.get('--minutes') ?? Number.POSITIVE_INFINITY,
    scripted: one !== undefined,
  };
}
