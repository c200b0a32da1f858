/**
 * Calls `run` up to `count` times in batches of 1, 2, 4 and so on, each batch at once, and stops after a batch with a failure: so a failing
 * creation of many pods does not flood the server. Cf. replica_set.go slowStartBatch.
 */
export async function slowStartBatch(count: number, run: (index: number) => Promise<void>, initialSize = 1): Promise<SlowStartResult> {
  let successes = 0;
  for (let done = 0, size = Math.min(count, initialSize); size > 0; size = Math.min(2 * size, count - done)) {
    const from = done;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => run(from + index)));
    const failures = results.filter((result) => result.status === 'rejected');
    successes += size - failures.length;
    done += size;
    if (failures[0]) return { successes, error: failures[0].reason };
  }
  return { successes };
}

export interface SlowStartResult {
  /** Number of successful calls; the others failed or were not made. */
  readonly successes: number;
  /** The first error of the last batch. */
  readonly error?: unknown;
}
