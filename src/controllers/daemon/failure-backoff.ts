import type { Clock } from '../../env/index.ts';

const initialMs = 1_000;
const maxMs = 15 * 60_000;

/** Doubles the delay with each failed pod of a node. Cf. client-go util/flowcontrol.Backoff. */
export class FailureBackoff {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #entries = new Map<string, { readonly delayMs: number; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** The delay when the key has to wait; otherwise undefined, and the next call has to wait. */
  next(key: string): number | undefined {
    const nowMs = this.#clock.monotonicMs();
    this.#removeExpired(nowMs);
    const entry = this.#entries.get(key);
    if (entry && nowMs - entry.sinceMs < entry.delayMs) return entry.delayMs;
    this.#entries.set(key, { delayMs: entry ? Math.min(2 * entry.delayMs, maxMs) : initialMs, sinceMs: nowMs });
    return undefined;
  }

  #removeExpired(nowMs: number): void {
    for (const [key, { sinceMs }] of this.#entries) if (nowMs - sinceMs > 2 * maxMs) this.#entries.delete(key);
  }
}
