import type { Clock } from '../env/index.ts';

/** The platform's clock; only `schedule` differs between platforms. */
export function createRealClock(schedule: Clock['schedule']): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    nextTurn: () => new Promise((resolve) => setTimeout(resolve, 0)),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const abort = (): void => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', abort);
          resolve();
        }, ms);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    schedule,
  };
}
