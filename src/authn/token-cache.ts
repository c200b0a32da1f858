import type { Clock } from '../env/index.ts';
import { type AuthenticationResult, isAuthenticated, type TokenAuthenticator } from './authenticator.ts';

export interface CacheTtls {
  readonly authenticatedTtlMs: number;
  /** Zero: unknown tokens are not cached. Failures never are. */
  readonly unknownTtlMs: number;
}

interface CacheEntry {
  readonly outcome: Promise<AuthenticationResult>;
  /** Undefined while the result is pending. */
  untilMs: number | undefined;
}

/** Maximum number of entries; the oldest is evicted. */
const maxEntries = 4096;

/**
 * Caches results for a while, because signatures and webhook calls are expensive. A token therefore outlives its revocation by that
 * long, as with kube-apiserver. Concurrent callers share one pending result.
 */
export function cachedTokenAuthenticator(method: TokenAuthenticator, clock: Clock, times: CacheTtls): TokenAuthenticator {
  const entries = new Map<string, CacheEntry>();
  const settle = (key: string, entry: CacheEntry, outcome: AuthenticationResult): void => {
    const ms = isAuthenticated(outcome) ? times.authenticatedTtlMs : outcome ? 0 : times.unknownTtlMs;
    if (ms > 0) entry.untilMs = clock.monotonicMs() + ms;
    else entries.delete(key);
  };
  return {
    name: method.name,
    authenticate(token, audiences) {
      const key = [token, ...audiences].join('\0');
      const before = entries.get(key);
      if (before && (before.untilMs === undefined || before.untilMs > clock.monotonicMs())) return before.outcome;
      const entry: CacheEntry = { outcome: Promise.resolve(method.authenticate(token, audiences)), untilMs: undefined };
      entries.delete(key);
      entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
      entry.outcome.then(
        (outcome) => settle(key, entry, outcome),
        () => entries.delete(key),
      );
      return entry.outcome;
    },
  };
}
