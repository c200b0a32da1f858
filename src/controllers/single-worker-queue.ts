import type { Clock, Log } from '../env/index.ts';

export interface WorkQueueOptions {
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
export function createSingleWorkerQueue(name: string, { clock, log, signal }: WorkQueueOptions, work: () => Promise<void>): () => void {
  let isRunning = false;
  let isQueued = false;
  let retryMs = firstRetryMs;
  let cancel = (): void => {};
  const retryLater = (error: unknown): void => {
    if (signal.aborted) return;
    log.warn('controller failed', { name, error });
    cancel = clock.schedule(retryMs, enqueue);
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isQueued && !signal.aborted) {
      isQueued = false;
      await work().then(() => {
        retryMs = firstRetryMs;
      }, retryLater);
    }
    isRunning = false;
  };
  const enqueue = (): void => {
    cancel();
    isQueued = true;
    if (!isRunning) void run();
  };
  signal.addEventListener('abort', () => cancel(), { once: true });
  return enqueue;
}
