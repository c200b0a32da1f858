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
export class RetryPolicy {
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws KeySpaceError */
  async run<Result>(request: () => Promise<Result>): Promise<Result> {
    const untilMs = this.#clock.monotonicMs() + this.#timeoutMs;
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        const isOver = this.#clock.monotonicMs() + pauseMs >= untilMs;
        if (error.code !== 'unavailable' || isOver) throw new KeySpaceError(codes[error.code], error.message, { cause: error });
      }
      await this.#clock.sleep(pauseMs);
    }
  }
}
