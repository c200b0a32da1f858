import { hasStatus } from '../client/index.ts';

/** Ignores 404: the object is already deleted. Rejects with any other error. Cf. controller-runtime client.IgnoreNotFound. */
export async function ignoreNotFound(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
  }
}
