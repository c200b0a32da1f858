import { StatusError } from '../../meta/index.ts';
import type { Updated } from '../../registry/index.ts';

/** How often a patch is tried again when the object has changed meanwhile (upstream MaxRetryWhenPatchConflicts). */
const conflictRetries = 5;

/** A patch whose base changed meanwhile is tried again. */
export async function retried(update: () => Promise<Updated>): Promise<Updated> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await update();
    } catch (error) {
      const again = error instanceof StatusError && error.reason === 'Conflict' && error.details?.causes === undefined;
      if (!again || attempt === conflictRetries) throw error;
    }
  }
}
