/** Why flow control rejects a request. */
export type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

export const rejectReasons: readonly RejectReason[] = ['concurrency-limit', 'queue-full', 'time-out', 'cancelled'];

/** Upper bounds of the buckets of waiting times, in seconds. Cf. requestDurationSecondsBuckets. */
export const waitBuckets: readonly number[] = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** A distribution of waiting times. */
export class WaitHistogram {
  /** Number of values of each bucket that are in no earlier one; the last are above all bounds. */
  readonly buckets: number[] = Array.from({ length: waitBuckets.length + 1 }, () => 0);
  sum = 0;

  observe(seconds: number): void {
    const bucket = waitBuckets.findIndex((bound) => seconds <= bound);
    const index = bucket < 0 ? waitBuckets.length : bucket;
    this.buckets[index] = (this.buckets[index] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** Counts of the requests of a flow schema at a priority level. */
export class FlowCounts {
  dispatched = 0;
  executing = 0;
  seatsInUse = 0;
  waiting = 0;
  readonly rejected: Record<RejectReason, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0, cancelled: 0 };
  /** Of the requests that were executed. */
  readonly executedWaits: WaitHistogram = new WaitHistogram();
  /** Of the requests that were rejected while they waited. */
  readonly rejectedWaits: WaitHistogram = new WaitHistogram();
}
