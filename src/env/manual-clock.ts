import type { Clock } from './ports.ts';
import { type Timer, TimerQueue } from './timer-queue.ts';

/** A clock that only moves when it is advanced. */
export interface ManualClock extends Clock {
  /** Moves time forward and runs the callbacks that fall due, in order of their time. */
  advance(ms: number): Promise<void>;
  /** The monotonic time of the next callback; undefined: none is scheduled. */
  nextDueMs(): number | undefined;
}

/** A clock for tests and simulations, starting at `startMs` since 1970. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs;
  let order = 0;
  const timers = new TimerQueue();
  const schedule = (ms: number, run: () => void): (() => void) => {
    const timer: Timer = { atMs: now + Math.max(0, ms), order: order++, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    nowMs: () => now,
    monotonicMs: () => now - startMs,
    nextTurn: () => Promise.resolve(),
    hostWork: (work) => work,
    nextDueMs: () => timers.first && timers.first.atMs - startMs,
    schedule,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = schedule(ms, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        const abort = (): void => {
          cancel();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abort, { once: true });
      }),
    async advance(ms) {
      const until = now + ms;
      for (let next = timers.first; next && next.atMs <= until; next = timers.first) {
        timers.delete(next);
        now = Math.max(now, next.atMs);
        next.run();
        // Lets promise callbacks of this moment settle before time moves on.
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      }
      now = until;
    },
  };
}
