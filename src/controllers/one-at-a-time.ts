import type { Clock, Log } from '../env/index.ts';

export interface Runner {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;

/**
 * Runs `work` whenever it is called, never twice at once; calls while it runs are one more run. What goes wrong is logged and tried
 * again after a while, since nothing may change that would call for it.
 */
export function oneAtATime(name: string, { clock, log, signal }: Runner, work: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  let retryMs = firstRetryMs;
  let cancel = (): void => {};
  const again = (error: unknown): void => {
    if (signal.aborted) return;
    log.warn('controller failed', { name, error });
    cancel = clock.schedule(retryMs, call);
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await work().then(() => {
        retryMs = firstRetryMs;
      }, again);
    }
    isRunning = false;
  };
  const call = (): void => {
    cancel();
    isWanted = true;
    if (!isRunning) void run();
  };
  signal.addEventListener('abort', () => cancel(), { once: true });
  return call;
}
