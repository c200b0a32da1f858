import { hasStatus } from '../client/index.ts';

/**
 * Ignores 403, 404 and 409: the object was changed, deleted or is terminating, and the next watch event triggers another reconciliation.
 * Rejects with any other error.
 */
export async function ignoreStaleWrite(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatus(error, 403, 404, 409)) throw error;
  }
}
