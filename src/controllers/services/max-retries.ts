import type { WorkQueue } from '../../client/index.ts';

/** Failures of one object after which it is not tried again until it changes (upstream maxRetries of the endpoint controllers). */
const maxRetries = 15;

/** Ends the retries of an object that fails again and again. */
export function withMaxRetries(
  reconcile: (key: string) => Promise<void>,
  queueOf: () => Pick<WorkQueue<string>, 'retries'>,
): (key: string) => Promise<void> {
  return async (key) => {
    try {
      await reconcile(key);
    } catch (error) {
      if (queueOf().retries(key) < maxRetries) throw error;
    }
  };
}
