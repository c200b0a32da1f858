import type { Clock } from '../../../env/index.ts';

/**
 * Chunks produced within this time after a write are sent with the next one, so that a burst costs each reader few writes. Controllers
 * reconcile again right after their own writes: later events would show them an old state each time.
 */
const batchMs = 2;

/** Writes to all readers that take longer are slow. */
const slowMs = 8;

/** Upper limit of the pause after slow writes to many readers. */
const longestPauseMs = 100;

/**
 * Write batching for streams, with one shared timer for all readers. When writing to all readers takes long, the next pause is twice as
 * long as the writes: events are batched meanwhile, and other requests are served.
 */
export class WriteBatcher {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  #flush: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'sleep'>) {
    this.#clock = clock;
  }

  nextFlush(): Promise<void> {
    this.#flush ??= this.#waitForFlush();
    return this.#flush;
  }

  async #waitForFlush(): Promise<void> {
    const beganMs = this.#clock.monotonicMs();
    await this.#clock.sleep(batchMs);
    // Timers do not fire while all streams are written.
    const writingMs = this.#clock.monotonicMs() - beganMs - batchMs;
    if (writingMs > slowMs) await this.#clock.sleep(Math.min(2 * writingMs, longestPauseMs));
    this.#flush = undefined;
  }
}
