/** Delays of kubelet's back-off. Cf. pkg/kubelet MaxCrashLoopBackOff, backOffPeriod. */
const initialMs = 10_000;
const maxMs = 300_000;

/** How often a synchronization repeats the event of a back-off. Cf. pkg/kubelet backOffPeriod with its jitter. */
export const backoffEventPeriodMs = 12_000;

/** The growing delay before an attempt is repeated. Cf. client-go util/flowcontrol Backoff. */
export class Backoff {
  #delayMs = 0;
  #updatedMs = 0;

  /** The current delay. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** When the next attempt after a failure is due; undefined: at once. */
  dueMs(failedMs: number): number | undefined {
    return this.#delayMs === 0 || this.#isExpired(failedMs) ? undefined : failedMs + this.#delayMs;
  }

  /** Doubles the delay for the failure of an attempt that begins now. */
  next(failedMs: number, nowMs: number): void {
    this.#delayMs = this.#delayMs === 0 || this.#isExpired(failedMs) ? initialMs : Math.min(this.#delayMs * 2, maxMs);
    this.#updatedMs = nowMs;
  }

  /** The delay is forgotten when an attempt was good for twice the longest delay. */
  #isExpired(failedMs: number): boolean {
    return failedMs - this.#updatedMs > 2 * maxMs;
  }
}
