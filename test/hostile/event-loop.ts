import { readFileSync } from 'node:fs';

/** Nanoseconds that this thread has run, so that waiting for a busy machine's processor does not count (Linux: Documentation/scheduler/sched-stats). */
function threadCpuMs(): number {
  const [ran = '0'] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(ran) / 1e6;
}

export interface Measured<T> {
  readonly result: T;
  /** The longest turn of the event loop, in milliseconds of this thread's processor time. */
  readonly blockedMs: number;
}

/** Runs something and measures the longest time for which nothing else in this thread could have run. */
export async function measureBlocking<T>(run: () => Promise<T>): Promise<Measured<T>> {
  let blockedMs = 0;
  let last = threadCpuMs();
  const turn = (): void => {
    const now = threadCpuMs();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
  };
  let isRunning = true;
  const beat = (): void => {
    turn();
    if (isRunning) setImmediate(beat);
  };
  setImmediate(beat);
  try {
    const result = await run();
    turn();
    return { result, blockedMs };
  } finally {
    isRunning = false;
  }
}
