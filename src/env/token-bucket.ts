import type { Clock } from './ports.ts';

/** A limit with bursts: up to `burst` tokens accrue, `perSecond` of them a second. */
export class TokenBucket {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #updatedMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs'>, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#updatedMs = clock.monotonicMs();
  }

  /** Takes a token, and returns how long to wait for it, in milliseconds. */
  reserve(): number {
    this.#refill();
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  /** Takes a token unless that would mean to wait. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #refill(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#updatedMs) / 1000) * this.#perSecond);
    this.#updatedMs = nowMs;
  }
}
