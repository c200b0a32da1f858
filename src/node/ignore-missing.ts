import { hasStatus } from '../client/index.ts';

/** Ignores that the object of a write is gone or has been replaced: its watch event follows. */
export async function ignoreMissing(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatus(error, 404, 409)) throw error;
  }
}
