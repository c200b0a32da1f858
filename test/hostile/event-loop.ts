import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds that this thread has run, so that waiting for a busy machine's processor does not count (Linux: Documentation/scheduler/sched-stats). */
function threadCpuMs(): number {
  const [ran = '0'] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(ran) / 1e6;
}

setFlagsFromString('--expose-gc');
/** Collects the garbage of earlier work, so that it is not measured; takes longer than most attacks. */
export const collectGarbage: () => void = runInNewContext('gc');

/** The duration of `referenceWork` on an idle core of a 2-core machine with Node 20, in milliseconds of processor time. */
const referenceMs = 150;

/**
 * How much slower than the reference this machine is now, at least 1: a processor that is shared with other machines, threads or memory
 * traffic takes more processor time for the same work.
 */
export function machineSlowdown(): number {
  const start = threadCpuMs();
  for (let round = 0; round < 10; round++) referenceWork();
  return Math.max(1, (threadCpuMs() - start) / referenceMs);
}

/** A workload like that of requests: strings, objects, maps and garbage. */
function referenceWork(): number {
  const items = Array.from({ length: 5_000 }, (_, index) => ({ name: `n${(index * 7919) % 5_000}`, labels: { a: `b${index}` } }));
  const parsed: typeof items = JSON.parse(JSON.stringify(items));
  const byName = new Map(
    parsed.sort((a, b) => (a.name < b.name ? -1 : 1)).map((item) => [item.name, { ...item, copy: { ...item.labels } }]),
  );
  return JSON.stringify([...byName.values()]).length;
}

export interface Measured<T> {
  readonly result: T;
  /** The longest turn of the event loop, in milliseconds of this thread's processor time. */
  readonly blockedMs: number;
}

/** Runs an action and measures the longest time for which it blocked the event loop. */
export async function measureBlocking<T>(run: () => Promise<T>): Promise<Measured<T>> {
  let blockedMs = 0;
  let last = threadCpuMs();
  const turn = (): void => {
    const now = threadCpuMs();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
  };
  let isRunning = true;
  // By a timer, since immediates would keep an idle loop busy. It fires once in each turn that takes longer than its delay.
  const beat = (): void => {
    turn();
    if (isRunning) setTimeout(beat, 1);
  };
  setTimeout(beat, 1);
  try {
    const result = await run();
    turn();
    return { result, blockedMs };
  } finally {
    isRunning = false;
  }
}
