import { type User, unauthenticatedGroup } from '../../authn/index.ts';
import type { Clock } from '../../env/index.ts';
import type { ApiResponse } from '../../meta/index.ts';
import { plain } from '../paths/health.ts';
import type { RequestInfo } from '../request-info.ts';
import { isLongRunning } from './deadlines.ts';

/** Maximum number of requests in flight by kind; 0: no limit. */
export interface InFlightLimits {
  /** `--max-requests-inflight` */
  readonly readOnly: number;
  /** `--max-mutating-requests-inflight` */
  readonly mutating: number;
}

/** For a server that counts only, since its flow control limits the requests. */
export const unlimitedInFlight: InFlightLimits = { readOnly: Number.POSITIVE_INFINITY, mutating: Number.POSITIVE_INFINITY };

export const inFlightDefaults: InFlightLimits = { readOnly: 400, mutating: 200 };

export type RequestKind = keyof InFlightLimits;
export const requestKinds: readonly RequestKind[] = ['mutating', 'readOnly'];

/** Limit of request bodies that are received at once from unauthenticated clients. Upstream has no such limit. */
const maxAnonymousBodies = 10;

/** Cf. upstream nonMutatingRequestVerbs. */
const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** The in-flight limit is reached. The response bypasses content negotiation, flow headers and warnings. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  readonly response: ApiResponse = tooManyRequests();
}

function tooManyRequests(): ApiResponse {
  const answer = plain(429, 'Too many requests, please try again later.\n');
  return { ...answer, headers: [...answer.headers, ['retry-after', '1']] };
}

/** The highest count of one second; the metric shows that of the last one. */
interface Watermark {
  second: number;
  highest: number;
}

const nothing = (): void => {};

/** Counts requests in flight and rejects those above the limits. Cf. upstream server/filters/maxinflight.go */
export class InFlightRequests {
  readonly #limits: InFlightLimits;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #counts: Record<RequestKind, number> = { readOnly: 0, mutating: 0 };
  readonly #watermarks: Record<RequestKind, Watermark> = {
    readOnly: { second: 0, highest: 0 },
    mutating: { second: 0, highest: 0 },
  };
  #anonymousBodies = 0;

  constructor(limits: InFlightLimits, clock: Pick<Clock, 'monotonicMs'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Takes a slot; the returned function releases it and is idempotent. Watches and other long-running requests need none. Members of
   * system:masters are served even above the limit. @throws TooManyRequests
   */
  enter(info: RequestInfo, user: User): () => void {
    if (info.verb === 'watch' || isLongRunning(info)) return nothing;
    const kind: RequestKind = readOnlyVerbs.has(info.verb) ? 'readOnly' : 'mutating';
    const limit = this.#limits[kind];
    if (limit === 0) return nothing;
    if (this.#counts[kind] >= limit) {
      if (user.groups.includes('system:masters')) return nothing;
      throw new TooManyRequests();
    }
    this.#counts[kind]++;
    this.#observe(kind);
    let isInFlight = true;
    return () => {
      if (!isInFlight) return;
      isInFlight = false;
      this.#counts[kind]--;
    };
  }

  /** Takes a slot for receiving a body; see `enter`. @throws TooManyRequests */
  enterBody(user: User): () => void {
    if (!user.groups.includes(unauthenticatedGroup)) return nothing;
    if (this.#anonymousBodies >= maxAnonymousBodies) throw new TooManyRequests();
    this.#anonymousBodies++;
    return () => {
      this.#anonymousBodies--;
    };
  }

  /** The number of requests in flight. */
  get size(): number {
    return this.#counts.readOnly + this.#counts.mutating;
  }

  /** The highest number in flight within the last second. */
  highest(kind: RequestKind): number {
    return Math.max(this.#observe(kind).highest, this.#counts[kind]);
  }

  #observe(kind: RequestKind): Watermark {
    const watermark = this.#watermarks[kind];
    const second = Math.floor(this.#clock.monotonicMs() / 1000);
    if (watermark.second !== second) {
      watermark.second = second;
      watermark.highest = 0;
    }
    watermark.highest = Math.max(watermark.highest, this.#counts[kind]);
    return watermark;
  }
}
