import type { Clock } from '../../env/index.ts';

/** What happens within this time after a piece of a stream was written goes out with the next: a burst costs its readers few writes. */
const burstMs = 8;

/** No reader waits longer than that for others to have been written to. */
const longestPauseMs = 100;

/**
 * Ends of bursts, told to all streams together: one timer for however many readers. Who has many readers and takes long to write to all of
 * them pauses twice as long afterwards: what happens meanwhile goes out together, and other requests get their turn.
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
    // While all are written to, no timer is heard.
    const writingMs = this.#clock.monotonicMs() - beganMs - burstMs;
    if (writingMs > burstMs) await this.#clock.sleep(Math.min(2 * writingMs, longestPauseMs));
    this.#end = undefined;
  }
}
