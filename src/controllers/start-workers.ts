import { type KubeObject, type RateLimiter, runWorkers, type SharedInformer, WorkQueue } from '../client/index.ts';
import type { ControllerContext } from './controller.ts';

export interface ReconcilerOptions {
  /** The controller, in the log. */
  readonly name: string;
  /** Caches that must be complete before the first reconciliation. */
  readonly informers: readonly Pick<SharedInformer<KubeObject>, 'synced'>[];
  /** Brings one object to its desired state; a rejection is retried with a growing delay. */
  readonly reconcile: (key: string) => Promise<void>;
  /** Number of objects that are reconciled at the same time. Default: 5. */
  readonly workers?: number;
  /** Default: that of controllers. */
  readonly rateLimiter?: RateLimiter<string>;
  /** Failures of an object after which it is not retried until it changes. Default: no limit. */
  readonly maxRetries?: number;
}

/** Upstream maxRetries of deployments and endpoints. */
export const defaultMaxRetries = 15;

/** Creates the queue of a controller, and starts its workers once the caches are complete. */
export function startWorkers(options: ReconcilerOptions, { clock, log, signal, onResult }: ControllerContext): WorkQueue<string> {
  const { name, informers, workers = 5, rateLimiter, maxRetries = Number.POSITIVE_INFINITY } = options;
  const queue = new WorkQueue<string>({ clock, signal, ...(rateLimiter ? { rateLimiter } : {}) });
  const reconcile = async (key: string): Promise<void> => {
    try {
      await options.reconcile(key);
    } catch (error) {
      if (signal.aborted || queue.retries(key) < maxRetries) throw error;
      log.error('controller failed, object is not retried', { name, item: key, error });
    }
  };
  void Promise.all(informers.map(({ synced }) => synced)).then(() =>
    runWorkers({ queue, workers, reconcile, name, log, signal, onResult }),
  );
  return queue;
}
