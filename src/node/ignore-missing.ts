import { hasStatus } from '../client/index.ts';

/** Ignores that the object of a write is deleted, or that another one has its name: the watch event follows. */
export async function ignoreMissing<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    // Any other conflict is one of concurrent writes, after which the write is due again.
    const isReplaced = hasStatus(error, 409) && /\bUID\b/.test(error.message);
    if (!hasStatus(error, 404) && !isReplaced) throw error;
    return undefined;
  }
}
