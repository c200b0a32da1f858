import type { Clock } from './ports.ts';

/** A clock that only moves when it is advanced. */
export interface ManualClock extends Clock {
  /** Moves time forward and runs the callbacks that fall due, in order of their time. */
  advance(ms: number): Promise<void>;
  /** The monotonic time of the next callback; undefined: none is scheduled. */
  nextDueMs(): number | undefined;
}

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock for tests and simulations, starting at `startMs` since 1970. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs;
  let order = 0;
  const due = new Set<Due>();
  const schedule = (ms: number, run: () => void): (() => void) => {
    const entry: Due = { atMs: now + Math.max(0, ms), order: order++, run };
    due.add(entry);
    return () => due.delete(entry);
  };
  const earliest = (untilMs: number): Due | undefined => {
    let first: Due | undefined;
    for (const entry of due) {
      if (entry.atMs > untilMs) continue;
      if (!first || entry.atMs < first.atMs || (entry.atMs === first.atMs && entry.order < first.order)) first = entry;
    }
    return first;
  };
  return {
    nowMs: () => now,
    monotonicMs: () => now - startMs,
    nextTurn: () => Promise.resolve(),
    nextDueMs: () => {
      const next = earliest(Number.POSITIVE_INFINITY);
      return next && next.atMs - startMs;
    },
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
      for (let next = earliest(until); next; next = earliest(until)) {
        due.delete(next);
        now = Math.max(now, next.atMs);
        next.run();
        // Lets promise callbacks of this moment settle before time moves on.
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      }
      now = until;
    },
  };
}
