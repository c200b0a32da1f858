import type { Clock, Log } from '../env/index.ts';

export interface Runner {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;

/**
 * A work queue with one worker and one item: each call runs `work`, never twice at once; calls during a run are coalesced into one more
 * run. Failures are logged and retried with exponential backoff, because no further event may come. Cf. client-go workqueue.
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
