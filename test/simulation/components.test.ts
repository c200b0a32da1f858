import { expect, test } from 'vitest';
import { getOrAdd } from '../../src/meta/index.ts';
import { defaultComponentOperations as operations, runComponents } from './components/simulate-components.ts';
import { Coverage } from './environment.ts';

const seeds = 66;

/** Minimum counts over the seeds; a run below one of them no longer covers that case sufficiently. */
const minimum: Readonly<Record<string, number>> = {
  'components killed': 80,
  'all components killed': 40,
  'nodes isolated': 10,
  'watches broken': 150,
  'fault: conflict': 40,
  'fault: lost response': 150,
  'fault: response timed out': 40,
  'topology: elected': 5,
  'topology: two schedulers': 5,
  'user: roll deployment': 40,
  'user: create job': 80,
  'user: evict pod': 40,
};

const compared = [1, 4, 5];

/** The runs that several tests use; the changes of all seeds would take much memory. */
const firstRuns = new Map<number, ReturnType<typeof runComponents>>();
const firstRun = (seed: number): ReturnType<typeof runComponents> =>
  seed <= Math.max(...compared) + 1
    ? getOrAdd(firstRuns, seed, () => runComponents({ seed, operations }))
    : runComponents({ seed, operations });

test(`${seeds} seeds of controllers, scheduler and nodes break no rule and reach every coverage minimum`, async () => {
  const coverage = new Coverage();
  for (let seed = 0; seed < seeds; seed++) {
    const result = await firstRun(seed);
    if (result.failure) throw new Error(`npm run simulate -- components --seed ${seed}`, { cause: result.failure });
    coverage.add(result.coverage);
  }
  const tooFew = Object.entries(minimum).filter(([counter, times]) => (coverage.counts.get(counter) ?? 0) < times);
  expect(tooFew.map(([counter, times]) => `${counter}: ${coverage.counts.get(counter)} instead of ${times}`)).toEqual([]);
}, 600_000);

test.each(compared)(
  'seed %i makes the same changes again, independent of earlier runs',
  async (seed) => {
    const first = await firstRun(seed);
    await firstRun(seed + 1);
    const again = await runComponents({ seed, operations });
    expect(again.changes).toEqual(first.changes);
    expect(again.transcript).toEqual(first.transcript);
    expect(first.changes.length).toBeGreaterThan(100);
  },
  60_000,
);
