import { type Clock, createTurnPace, maxTimerMs, type Pace } from '../../env/index.ts';
import { createControllerRateLimiter, type RateLimiter } from './rate-limiter.ts';

export interface WorkQueueOptions<Item> {
  readonly clock: Clock;
  /** Default: that of controllers. */
  readonly rateLimiter?: RateLimiter<Item>;
  /** Shuts the queue down. */
  readonly signal: AbortSignal;
}

/**
 * A queue of distinct items. An item that is added while it is processed is queued again when it is done, so it is never processed twice
 * at once. Cf. client-go util/workqueue RateLimitingInterface.
 */
export class WorkQueue<Item> {
  /** A worker must await its result, if there is one, before it processes an item: items may follow each other without end. */
  readonly pace: Pace;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter<Item>;
  /** Items to process, in order. */
  readonly #queue: Item[] = [];
  /** Items that need processing, also those that are being processed now. */
  readonly #dirty = new Set<Item>();
  readonly #processing = new Set<Item>();
  /** Items of addAfter: when they are added, and how to cancel that. */
  readonly #delayed = new Map<Item, { readonly atMs: number; readonly cancel: () => void }>();
  readonly #waiting: ((item: Item | undefined) => void)[] = [];
  #isShutDown = false;

  constructor({ clock, rateLimiter = createControllerRateLimiter<Item>(clock), signal }: WorkQueueOptions<Item>) {
    this.#clock = clock;
    this.pace = createTurnPace(clock);
    this.#limiter = rateLimiter;
    if (signal.aborted) this.#isShutDown = true;
    else signal.addEventListener('abort', () => this.#shutDown(), { once: true });
  }

  /** Number of items that wait for a worker. */
  get length(): number {
    return this.#queue.length;
  }

  add(item: Item): void {
    if (this.#isShutDown || this.#dirty.has(item)) return;
    this.#dirty.add(item);
    if (!this.#processing.has(item)) this.#enqueue(item);
  }

  /** Adds the item after a delay; of several delays of an item the shortest counts. */
  addAfter(item: Item, ms: number): void {
    if (this.#isShutDown) return;
    if (ms <= 0) {
      this.add(item);
      return;
    }
    const atMs = this.#clock.monotonicMs() + ms;
    const known = this.#delayed.get(item);
    if (known && known.atMs <= atMs) return;
    known?.cancel();
    this.#delay(item, atMs);
  }

  /** Adds the item when the rate limiter allows it; for items whose processing failed. */
  addRateLimited(item: Item): void {
    this.addAfter(item, this.#limiter.when(item));
  }

  /** Resets the delay of an item whose processing succeeded. */
  forget(item: Item): void {
    this.#limiter.forget(item);
  }

  retries(item: Item): number {
    return this.#limiter.retries(item);
  }

  /** Waits for an item; undefined after the shutdown. Each item must be passed to `done`. */
  async get(): Promise<Item | undefined> {
    if (this.#isShutDown) return undefined;
    const item =
      this.#queue.length > 0 ? this.#queue.shift() : await new Promise<Item | undefined>((resolve) => this.#waiting.push(resolve));
    if (item === undefined) return undefined;
    this.#processing.add(item);
    this.#dirty.delete(item);
    return item;
  }

  /** Ends the processing of an item. */
  done(item: Item): void {
    this.#processing.delete(item);
    if (this.#dirty.has(item)) this.#enqueue(item);
  }

  #delay(item: Item, atMs: number): void {
    const ms = atMs - this.#clock.monotonicMs();
    const cancel = this.#clock.schedule(Math.min(ms, maxTimerMs), () => {
      this.#delayed.delete(item);
      if (ms > maxTimerMs) this.#delay(item, atMs);
      else this.add(item);
    });
    this.#delayed.set(item, { atMs, cancel });
  }

  #enqueue(item: Item): void {
    const worker = this.#waiting.shift();
    if (worker) worker(item);
    else this.#queue.push(item);
  }

  #shutDown(): void {
    this.#isShutDown = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const worker of this.#waiting.splice(0)) worker(undefined);
  }
}
