import { Histogram } from '../meta/index.ts';

/** Why flow control rejects a request. */
export type RejectReason = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

export const rejectReasons: readonly RejectReason[] = ['concurrency-limit', 'queue-full', 'time-out', 'cancelled'];

/** Upper bounds of the buckets of waiting times, in seconds. Cf. requestDurationSecondsBuckets. */
const waitBuckets: readonly number[] = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Cf. work_estimated_seats. */
const seatBuckets: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 100];

/** Counts of the requests of a flow schema at a priority level. */
export class FlowCounts {
  dispatched = 0;
  executing = 0;
  seatsInUse = 0;
  waiting = 0;
  readonly rejected: Record<RejectReason, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0, cancelled: 0 };
  /** Of the requests that were executed. */
  readonly executedWaits: Histogram = new Histogram(waitBuckets);
  /** In seconds, by whether the requests are watches. */
  readonly executions: Readonly<Record<'regular' | 'watch', Histogram>> = {
    regular: new Histogram(waitBuckets),
    watch: new Histogram(waitBuckets),
  };
  /** The seats of the requests. */
  readonly seats: Histogram = new Histogram(seatBuckets);
  /** Of the requests that were rejected while they waited. */
  readonly rejectedWaits: Histogram = new Histogram(waitBuckets);
}
