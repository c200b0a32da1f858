import type { Clock } from '../../env/index.ts';

/** Chunks produced within this time after a write are sent with the next one, so that a burst costs each reader few writes. */
const burstMs = 8;

/** Upper limit of the pause after slow writes to many readers. */
const longestPauseMs = 100;

/**
 * Write batching for streams, with one shared timer for all readers. When writing to all readers takes long, the next pause is twice as
 * long as the writes: events are batched meanwhile, and other requests are served.
 */
export class Bursts {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  #end: Promise<void> | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'sleep'>) {
    this.#clock = clock;
  }

  over(): Promise<void> {
    this.#end ??= this.#pass();
    return this.#end;
  }

  async #pass(): Promise<void> {
    const beganMs = this.#clock.monotonicMs();
    await this.#clock.sleep(burstMs);
    // Timers do not fire while all streams are written.
    const writingMs = this.#clock.monotonicMs() - beganMs - burstMs;
    if (writingMs > burstMs) await this.#clock.sleep(Math.min(2 * writingMs, longestPauseMs));
    this.#end = undefined;
  }
}
