import type { Log } from '../../env/index.ts';
import type { WorkQueue } from './work-queue.ts';

/** A failure that is expected, such as a condition that is not met yet: the item is added again without an entry in the log. */
export class IgnorableError extends Error {
  override readonly name: string = 'IgnorableError';
}

export interface WorkerOptions<Item> {
  readonly queue: WorkQueue<Item>;
  /** Number of items that are processed at the same time. */
  readonly workers: number;
  /** Processes an item; a rejection adds the item again, rate limited. */
  readonly reconcile: (item: Item) => Promise<void>;
  /** The controller, in the log. */
  readonly name: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The item in the log. Default: its text. */
  readonly describe?: (item: Item) => string;
  /** An item was processed, or failed with an error. */
  readonly onResult?: ((item: Item, error?: unknown) => void) | undefined;
}

/** Processes the items of a queue until the signal aborts. */
export function runWorkers<Item>(options: WorkerOptions<Item>): void {
  for (let worker = 0; worker < options.workers; worker++) void runWorker(options);
}

async function runWorker<Item>({ queue, reconcile, name, log, signal, describe = String, onResult }: WorkerOptions<Item>): Promise<void> {
  for (let item = await queue.get(); item !== undefined && !signal.aborted; item = await queue.get()) {
    const paused = queue.pace();
    if (paused) await paused;
    try {
      await reconcile(item);
      queue.forget(item);
      onResult?.(item);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof IgnorableError)) log.warn('controller failed', { name, item: describe(item), error });
      queue.addRateLimited(item);
      onResult?.(item, error);
    } finally {
      queue.done(item);
    }
  }
}
