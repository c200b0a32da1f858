import { type Clock, TokenBucket } from '../../env/index.ts';

/** Decides how long an item waits before it is processed again. */
export interface RateLimiter<Item> {
  /** The delay of the next attempt, in milliseconds. */
  when(item: Item): number;
  /** Resets the failures of an item. */
  forget(item: Item): void;
  retries(item: Item): number;
}

/** Doubles the delay with each failure of an item. Cf. client-go ItemExponentialFailureRateLimiter. */
export class ExponentialFailureRateLimiter<Item> implements RateLimiter<Item> {
  readonly #baseMs: number;
  readonly #maxMs: number;
  readonly #failures = new Map<Item, number>();

  constructor(baseMs: number, maxMs: number) {
    this.#baseMs = baseMs;
    this.#maxMs = maxMs;
  }

  when(item: Item): number {
    const failures = this.retries(item);
    this.#failures.set(item, failures + 1);
    return Math.min(this.#baseMs * 2 ** failures, this.#maxMs);
  }

  forget(item: Item): void {
    this.#failures.delete(item);
  }

  retries(item: Item): number {
    return this.#failures.get(item) ?? 0;
  }
}

/** Limits the rate of all items together, with bursts. Cf. client-go BucketRateLimiter. */
class BucketRateLimiter<Item> implements RateLimiter<Item> {
  readonly #bucket: TokenBucket;

  constructor(bucket: TokenBucket) {
    this.#bucket = bucket;
  }

  when(_item: Item): number {
    return this.#bucket.reserve();
  }

  forget(): void {}

  retries(): number {
    return 0;
  }
}

/** The longest delay of several rate limiters. */
class MaxOfRateLimiter<Item> implements RateLimiter<Item> {
  readonly #limiters: readonly RateLimiter<Item>[];

  constructor(...limiters: readonly RateLimiter<Item>[]) {
    this.#limiters = limiters;
  }

  when(item: Item): number {
    return Math.max(...this.#limiters.map((limiter) => limiter.when(item)));
  }

  forget(item: Item): void {
    for (const limiter of this.#limiters) limiter.forget(item);
  }

  retries(item: Item): number {
    return Math.max(...this.#limiters.map((limiter) => limiter.retries(item)));
  }
}

/** The delays of one item: doubled from the first to the longest. */
export interface RetryDelays {
  /** Default: 5 ms. */
  readonly baseMs?: number;
  /** Default: 1000 s. */
  readonly maxMs?: number;
}

/** Retries one item with growing delays, and 10 items a second with bursts of 100. Cf. client-go DefaultTypedControllerRateLimiter. */
export function createControllerRateLimiter<Item>(
  clock: Pick<Clock, 'monotonicMs'>,
  { baseMs = 5, maxMs = 1_000_000 }: RetryDelays = {},
): RateLimiter<Item> {
  return new MaxOfRateLimiter(
    new ExponentialFailureRateLimiter<Item>(baseMs, maxMs),
    new BucketRateLimiter<Item>(new TokenBucket(clock, 10, 100)),
  );
}
