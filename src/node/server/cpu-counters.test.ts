import { expect, test } from 'vitest';
import { type CpuCounter, countCpu } from './cpu-counters.ts';

test('a counter grows by the usage of the later measurement, and begins again with a new start', () => {
  let counter: CpuCounter | undefined;
  const count = (startMs: number, atMs: number, nanoCores: number): number => {
    counter = countCpu(counter, startMs, atMs, nanoCores);
    return counter.coreNanoseconds;
  };
  expect(count(1_000, 3_000, 5_000)).toBe(10_000);
  expect(count(1_000, 3_000, 9_000)).toBe(10_000);
  expect(count(1_000, 4_000, 1_000)).toBe(11_000);
  expect(countCpu(undefined, 1_000, 4_000, 1_000).coreNanoseconds).toBe(3_000);
  expect(count(4_000, 6_000, 1_000)).toBe(2_000);
});
