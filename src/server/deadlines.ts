import type { Clock } from '../env/index.ts';
import { type ApiResponse, badRequest, DurationError, parseDuration } from '../meta/index.ts';
import { requestTimedOut } from '../registry/index.ts';
import type { RequestInfo } from './request-info.ts';
import { uncached } from './respond.ts';

/** What a request may take, unless it says less (upstream RequestTimeout). */
const requestMs = 60_000;

/** What the verb of a write may take (upstream requestTimeoutUpperBound). */
const writeMs = 34_000;
const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

const lasting: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** What lasts has no deadline, and is not counted among the requests of a flow; watches are until they have begun. */
export function lastsLong({ verb, subresource }: RequestInfo): boolean {
  return verb === 'proxy' || lasting.has(subresource);
}

/** The time of the request is over. Its answer is made outside of all that knows of formats, flows and warnings. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly response: ApiResponse = {
    status: 504,
    headers: [uncached, ['content-type', 'text/plain; charset=utf-8']],
    body: '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
  };
}

/** How long a request may take: what its `timeout` says, within bounds; undefined for what lasts. @throws StatusError 400 */
export function deadlineMsOf(info: RequestInfo): number | undefined {
  if (info.verb === 'watch' || lastsLong(info)) return undefined;
  const timeout = info.query.get('timeout') ?? '';
  if (timeout === '') return requestMs;
  try {
    const ms = Number(parseDuration(timeout)) / 1_000_000;
    return ms > 0 ? Math.min(ms, requestMs) : requestMs;
  } catch (error) {
    if (error instanceof DurationError) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`, error);
    throw error;
  }
}

interface Awaited {
  readonly untilMs: number;
  readonly giveUp: () => void;
}

/** The requests that are on their way. Few are late, so one timer serves all: it looks when the next one may be. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #awaited = new Set<Awaited>();
  /** When the timer looks; infinite: there is none. */
  #looksMs = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The result of `work`, or that it takes too long; then nobody waits for it any more, and whether it was done is not known.
   * @throws DeadlineExceeded | StatusError 504
   */
  keep<Result>(work: Promise<Result>, deadlineMs: number | undefined, { verb }: RequestInfo): Promise<Result> {
    const isWrite = deadlineMs !== undefined && writes.has(verb) && writeMs < deadlineMs;
    return isWrite ? this.#keep(work, writeMs, requestTimedOut) : this.keepRequest(work, deadlineMs);
  }

  /** The same of what is not the verb itself: the whole request takes too long. @throws DeadlineExceeded */
  keepRequest<Result>(work: Promise<Result>, deadlineMs: number | undefined): Promise<Result> {
    return deadlineMs === undefined ? work : this.#keep(work, deadlineMs, (over) => over);
  }

  #keep<Result>(work: Promise<Result>, ms: number, refusal: (over: DeadlineExceeded) => Error): Promise<Result> {
    return new Promise((resolve, reject) => {
      const untilMs = this.#clock.monotonicMs() + ms;
      const giveUp = (): void => reject(refusal(new DeadlineExceeded()));
      const awaited = { untilMs, giveUp };
      this.#awaited.add(awaited);
      this.#lookAt(untilMs);
      const settled = (): void => void this.#awaited.delete(awaited);
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

  #lookAt(ms: number): void {
    if (this.#looksMs <= ms) return;
    this.#cancel();
    this.#looksMs = ms;
    this.#cancel = this.#clock.schedule(ms - this.#clock.monotonicMs(), () => this.#look());
  }

  #look(): void {
    this.#looksMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonicMs();
    for (const awaited of this.#awaited) {
      if (awaited.untilMs > nowMs) this.#lookAt(awaited.untilMs);
      else {
        this.#awaited.delete(awaited);
        awaited.giveUp();
      }
    }
  }
}
