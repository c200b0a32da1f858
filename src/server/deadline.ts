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

/**
 * The result of `work`, or that it takes too long; then nobody waits for it any more, and whether it was done is not known.
 * @throws DeadlineExceeded | StatusError 504
 */
export function inTime<Result>(
  work: Promise<Result>,
  deadlineMs: number | undefined,
  { verb }: RequestInfo,
  clock: Clock,
): Promise<Result> {
  if (deadlineMs === undefined) return work;
  const isWrite = writes.has(verb) && writeMs < deadlineMs;
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(isWrite ? writeMs : deadlineMs, () => {
      const over = new DeadlineExceeded();
      reject(isWrite ? requestTimedOut(over) : over);
    });
    work.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
