import { hasStatus } from '../client/index.ts';

/** Attempts of a write. Cf. client-go retry.DefaultRetry. */
const defaultAttempts = 5;

/** Writes an object, and after a conflict with another write (409) the object that `read` returns. Cf. client-go retry.RetryOnConflict. */
export async function retryOnConflict<T, Result>(
  given: T,
  write: (object: T) => Promise<Result>,
  read: () => Promise<T>,
  attempts: number = defaultAttempts,
): Promise<Result> {
  for (let attempt = 1, object = given; ; attempt++) {
    try {
      return await write(object);
    } catch (error) {
      if (!hasStatus(error, 409) || attempt === attempts) throw error;
      object = await read();
    }
  }
}
