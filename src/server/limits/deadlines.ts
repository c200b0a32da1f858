import type { Clock } from '../../env/index.ts';
import { type ApiResponse, badRequest, DurationError, parseDuration } from '../../meta/index.ts';
import { requestTimedOut } from '../../registry/index.ts';
import type { RequestInfo } from '../request-info.ts';
import { uncached } from '../response/respond.ts';

export interface RequestTimeouts {
  /** Default and maximum timeout of a request (`--request-timeout`), in milliseconds. */
  readonly requestMs: number;
  /** Minimum duration of a watch without a timeout (`--min-request-timeout`), in seconds; a random one up to twice as long is used. */
  readonly minWatchSeconds: number;
}

export const requestTimeoutDefaults: RequestTimeouts = { requestMs: 60_000, minWatchSeconds: 1800 };

/** Timeout of the storage part of a write (upstream requestTimeoutUpperBound). */
const writeMs = 34_000;
const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Whether a request is long-running: it has no deadline and does not count as in flight. Watches are handled separately, as they count
 * until they have started.
 */
export function isLongRunning({ verb, subresource }: RequestInfo): boolean {
  return verb === 'proxy' || longRunningSubresources.has(subresource);
}

/** The request timed out. Its response bypasses content negotiation, flow headers and warnings. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly response: ApiResponse = {
    status: 504,
    headers: [uncached, ['content-type', 'text/plain; charset=utf-8']],
    body: '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
  };
}

/**
 * The timeout of a request: its `timeout` parameter, at most `limitMs`, which is the default; undefined for
 * long-running requests. @throws StatusError 400
 */
export function deadlineMsOf(info: RequestInfo, limitMs: number): number | undefined {
  if (info.verb === 'watch' || isLongRunning(info)) return undefined;
  const timeout = info.query.get('timeout') ?? '';
  if (timeout === '') return limitMs;
  try {
    const ms = Number(parseDuration(timeout)) / 1_000_000;
    return ms > 0 ? Math.min(ms, limitMs) : limitMs;
  } catch (error) {
    if (error instanceof DurationError) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`, error);
    throw error;
  }
}

interface PendingWork {
  readonly untilMs: number;
  readonly giveUp: () => void;
}

/** Timeouts of running requests. Few expire, so all share one timer, set to the earliest deadline. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #pending = new Set<PendingWork>();
  /** Time at which the timer fires; infinite when it is not set. */
  #timerMs = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The result of `work`, or a rejection after the deadline. The work itself continues, so the outcome of a write is unknown. @throws
   * DeadlineExceeded | StatusError 504
   */
  enforce<Result>(work: Promise<Result>, deadlineMs: number | undefined, { verb }: RequestInfo): Promise<Result> {
    const isWrite = deadlineMs !== undefined && writes.has(verb) && writeMs < deadlineMs;
    return isWrite ? this.#enforceMs(work, writeMs, requestTimedOut) : this.enforceRequest(work, deadlineMs);
  }

  /** The same for the request outside of its verb: the whole request times out. @throws DeadlineExceeded */
  enforceRequest<Result>(work: Promise<Result>, deadlineMs: number | undefined): Promise<Result> {
    return deadlineMs === undefined ? work : this.#enforceMs(work, deadlineMs, (over) => over);
  }

  #enforceMs<Result>(work: Promise<Result>, ms: number, refusal: (over: DeadlineExceeded) => Error): Promise<Result> {
    return new Promise((resolve, reject) => {
      const untilMs = this.#clock.monotonicMs() + ms;
      const giveUp = (): void => reject(refusal(new DeadlineExceeded()));
      const awaited = { untilMs, giveUp };
      this.#pending.add(awaited);
      this.#scheduleAt(untilMs);
      const settled = (): void => void this.#pending.delete(awaited);
      work.then(
        (result) => {
          settled();
          resolve(result);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  }

  #scheduleAt(ms: number): void {
    if (this.#timerMs <= ms) return;
    this.#cancel();
    this.#timerMs = ms;
    this.#cancel = this.#clock.schedule(ms - this.#clock.monotonicMs(), () => this.#expire());
  }

  #expire(): void {
    this.#timerMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonicMs();
    for (const awaited of this.#pending) {
      if (awaited.untilMs > nowMs) this.#scheduleAt(awaited.untilMs);
      else {
        this.#pending.delete(awaited);
        awaited.giveUp();
      }
    }
  }
}
