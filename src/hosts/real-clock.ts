import type { Clock } from '../env/index.ts';

/** The platform's clock; `schedule` and `nextTurn` differ between platforms. */
export function createRealClock({ schedule, nextTurn }: Pick<Clock, 'schedule' | 'nextTurn'>): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    nextTurn,
    hostWork: (work) => work,
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
