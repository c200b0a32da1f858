import type { Clock } from '../../env/index.ts';
import { KeySpaceError, type KeySpaceErrorCode } from '../key-space.ts';
import { EtcdError, type EtcdErrorCode } from './etcd-client.ts';

/** Pause between two attempts. */
const pauseMs = 100;

/** Error codes of the key space for those of etcd. */
const codes: Readonly<Record<EtcdErrorCode, KeySpaceErrorCode>> = {
  unavailable: 'timed-out',
  compacted: 'compacted',
  'future-revision': 'future-revision',
  'no-space': 'out-of-space',
  refused: 'unavailable',
};

/** Retries requests while etcd is unavailable, up to a timeout: members restart and elect a leader. */
export class Patience {
  readonly #clock: Clock;
  readonly #ms: number;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** @throws KeySpaceError */
  async ask<Result>(question: () => Promise<Result>): Promise<Result> {
    const untilMs = this.#clock.monotonicMs() + this.#ms;
    for (;;) {
      try {
        return await question();
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        const isOver = this.#clock.monotonicMs() + pauseMs >= untilMs;
        if (error.code !== 'unavailable' || isOver) throw new KeySpaceError(codes[error.code], error.message, { cause: error });
      }
      await this.#clock.sleep(pauseMs);
    }
  }
}
