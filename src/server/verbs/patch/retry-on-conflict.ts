import { StatusError } from '../../../meta/index.ts';
import type { UpdateResult } from '../../../registry/index.ts';

/** Maximum number of retries after a conflict (upstream MaxRetryWhenPatchConflicts). */
const conflictRetries = 5;

/** Retries a patch when the object changed in the meantime. */
export async function retryOnConflict(update: () => Promise<UpdateResult>): Promise<UpdateResult> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await update();
    } catch (error) {
      const again = error instanceof StatusError && error.reason === 'Conflict' && error.details?.causes === undefined;
      if (!again || attempt === conflictRetries) throw error;
    }
  }
}
