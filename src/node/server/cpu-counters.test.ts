import { expect, test } from 'vitest';
import { type CpuCounters, countCpu } from './cpu-counters.ts';

test('a counter grows by the usage of the later measurement, and begins again with a new start', () => {
  const counters: CpuCounters = new Map();
  expect(countCpu(counters, 'c', 1_000, 3_000, 5_000)).toBe(10_000);
  expect(countCpu(counters, 'c', 1_000, 3_000, 9_000)).toBe(10_000);
  expect(countCpu(counters, 'c', 1_000, 4_000, 1_000)).toBe(11_000);
  expect(countCpu(counters, 'd', 1_000, 4_000, 1_000)).toBe(3_000);
  expect(countCpu(counters, 'c', 4_000, 6_000, 1_000)).toBe(2_000);
});
