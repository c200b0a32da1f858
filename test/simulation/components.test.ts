import { expect, test } from 'vitest';
import { defaultComponentOperations as operations, runComponents } from './components/simulate-components.ts';
import { Coverage } from './environment.ts';

/** More take `npm run simulate -- components --seeds N`. */
const seeds = 26;

/** Minimum counts over the seeds; a run below one of them no longer covers that case sufficiently. */
const minimum: Readonly<Record<string, number>> = {
  'components killed': 32,
  'all components killed': 16,
  'nodes isolated': 4,
  'watches broken': 60,
  'fault: conflict': 16,
  'fault: lost response': 60,
  'fault: response timed out': 16,
  'topology: elected': 2,
  'topology: two schedulers': 2,
  'user: roll deployment': 16,
  'user: create job': 32,
  'user: evict pod': 16,
};

/** The first runs of the seeds that run again. */
const firstRuns = new Map<number, Awaited<ReturnType<typeof runComponents>>>();
const repeated = [1, 4, 5];

test(`${seeds} seeds of controllers, scheduler and nodes break no rule and reach every coverage minimum`, async () => {
  const coverage = new Coverage();
  for (let seed = 0; seed < seeds; seed++) {
    const result = await runComponents({ seed, operations });
    if (result.failure) throw new Error(`npm run simulate -- components --seed ${seed}`, { cause: result.failure });
    if (repeated.includes(seed)) firstRuns.set(seed, result);
    coverage.add(result.coverage);
  }
  const tooFew = Object.entries(minimum).filter(([counter, times]) => (coverage.counts.get(counter) ?? 0) < times);
  expect(tooFew.map(([counter, times]) => `${counter}: ${coverage.counts.get(counter)} instead of ${times}`)).toEqual([]);
}, 600_000);

test.each(repeated)(
  'seed %i makes the same changes again, independent of earlier runs',
  async (seed) => {
    const first = firstRuns.get(seed) ?? (await runComponents({ seed, operations }));
    const again = await runComponents({ seed, operations });
    expect(again.changes).toEqual(first.changes);
    expect(again.transcript).toEqual(first.transcript);
    expect(first.changes.length).toBeGreaterThan(100);
  },
  120_000,
);
