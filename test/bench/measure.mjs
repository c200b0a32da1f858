import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Sequential operations per second of `run`; the median of three runs. */
export async function rate(count, run) {
  const rates = [];
  for (let round = 0; round < 3; round++) {
    const from = Math.floor((count / 3) * round);
    const to = Math.floor((count / 3) * (round + 1));
    const start = performance.now();
    for (let i = from; i < to; i++) await run(i);
    rates.push(((to - from) / (performance.now() - start)) * 1000);
  }
  return median(rates);
}

/** Milliseconds of one `run`; the median of `rounds`. */
export async function measure(rounds, run) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run(round);
    times.push(performance.now() - start);
  }
  return median(times);
}

export const median = (values) => quantile(values, 0.5);

/** The value below which `part` of all values are. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** The size of the heap after a garbage collection. */
export function heapMB() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1_000_000;
}

/** Waits up to a minute, and longer where `isDone` takes time. */
export async function poll(isDone) {
  for (let round = 0; round < 1_200; round++) {
    if (await isDone()) return;
    await pause(50);
  }
  throw new Error(`not reached: ${isDone}`);
}
