import type { Clock } from '../env/index.ts';
import { isFound, type Outcome, type TokenAuthenticator } from './authenticator.ts';

export interface CacheTimes {
  readonly foundMs: number;
  /** Zero: unknown tokens are not cached. Failures never are. */
  readonly notFoundMs: number;
}

interface Kept {
  readonly outcome: Promise<Outcome>;
  /** Undefined while the result is pending. */
  untilMs: number | undefined;
}

/** Maximum number of entries; the oldest is evicted. */
const most = 4096;

/**
 * Caches results for a while, because signatures and webhook calls are expensive. A token therefore outlives its revocation by that
 * long, as with kube-apiserver. Concurrent callers share one pending result.
 */
export function cachedTokens(method: TokenAuthenticator, clock: Clock, times: CacheTimes): TokenAuthenticator {
  const known = new Map<string, Kept>();
  const settle = (key: string, kept: Kept, outcome: Outcome): void => {
    const ms = isFound(outcome) ? times.foundMs : outcome ? 0 : times.notFoundMs;
    if (ms > 0) kept.untilMs = clock.monotonicMs() + ms;
    else known.delete(key);
  };
  return {
    name: method.name,
    authenticate(token, audiences) {
      const key = [token, ...audiences].join('\0');
      const before = known.get(key);
      if (before && (before.untilMs === undefined || before.untilMs > clock.monotonicMs())) return before.outcome;
      const kept: Kept = { outcome: Promise.resolve(method.authenticate(token, audiences)), untilMs: undefined };
      known.delete(key);
      known.set(key, kept);
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
      kept.outcome.then(
        (outcome) => settle(key, kept, outcome),
        () => known.delete(key),
      );
      return kept.outcome;
    },
  };
}
