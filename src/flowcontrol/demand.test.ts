import { expect, test } from 'vitest';
import { DemandIntegrator } from './demand.ts';

test('average, deviation and maximum are weighted by time', () => {
  const demand = new DemandIntegrator(0);
  demand.set(4, 5_000);
  expect(demand.reset(10_000)).toEqual({ average: 2, deviation: 2, highest: 4 });
  // The demand lasts, and a new period begins.
  demand.set(0, 15_000);
  expect(demand.reset(20_000)).toEqual({ average: 2, deviation: 2, highest: 4 });
  expect(demand.reset(30_000)).toEqual({ average: 0, deviation: 0, highest: 0 });
});
