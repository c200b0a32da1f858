import { type Clock, TokenBucket } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';

/** Limit of the requests of one client: the rate over a long time, and the number without delay. Cf. rest.Config. */
export interface ClientRate {
  /** Requests a second; negative: no limit. */
  readonly qps: number;
  readonly burst: number;
}

/** Leases must be renewed in time: the real components have another client for them, without this limit. */
const exempt = /\/leases(?:[/?]|$)/;

/** Requests of one client that are in progress at once, so that a batch of hundreds does not block the thread of a server in it. */
const maxInFlight = 32;

/** Delays the requests of a client that sends more than its rate allows, in their order. Cf. client-go util/flowcontrol. */
export function withRateLimit(api: ApiHandler, clock: Pick<Clock, 'monotonicMs' | 'sleep'>, { qps, burst }: ClientRate): ApiHandler {
  const isLimited = qps >= 0 && qps < Number.POSITIVE_INFINITY;
  const bucket = isLimited ? new TokenBucket(clock, qps, burst) : undefined;
  const send = withMaxInFlight(api);
  return async (request) => {
    if (exempt.test(request.target)) return api(request);
    const waitMs = bucket?.reserve() ?? 0;
    if (waitMs > 0) await clock.sleep(waitMs, request.signal);
    return send(request);
  };
}

/** Requests wait for others. */
function withMaxInFlight(api: ApiHandler): ApiHandler {
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  return async (request) => {
    if (inFlight >= maxInFlight) await new Promise<void>((resolve) => waiting.push(resolve));
    else inFlight++;
    try {
      return await api(request);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inFlight--;
    }
  };
}

/** The given parts of a limit replace those of the default; zero is no value, as in the real components. */
export function clientRateOr({ qps = 0, burst = 0 }: Partial<ClientRate> = {}, initial: ClientRate): ClientRate {
  return { qps: qps === 0 ? initial.qps : qps, burst: burst > 0 ? burst : initial.burst };
}
