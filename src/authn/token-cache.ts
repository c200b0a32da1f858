import type { Clock } from '../env/index.ts';
import { isFound, type Outcome, type TokenAuthenticator } from './authenticator.ts';

export interface CacheTimes {
  readonly foundMs: number;
  /** Zero: what was not found is asked for again each time, as is always what was refused. */
  readonly notFoundMs: number;
}

interface Kept {
  readonly outcome: Promise<Outcome>;
  /** Undefined: still being found out. */
  untilMs: number | undefined;
}

/** Whoever brings more different tokens than this has the oldest found out again. */
const most = 4096;

/**
 * Remembers for a while what tokens turned out to be: signatures are dear to verify, and others to ask. So a token outlives what
 * made it valid by that long, as with the real server. Who asks while it is being found out waits for the same answer.
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
