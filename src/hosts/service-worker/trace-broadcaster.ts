import type { RequestTrace } from '../../meta/index.ts';

/** Delay for batching, so that a burst of requests costs one message. */
const batchMs = 40;

/** Sends request traces to all pages, in batches. */
export class TraceBroadcaster {
  readonly #post: (traces: readonly RequestTrace[]) => void;
  #waiting: RequestTrace[] = [];

  constructor(post: (traces: readonly RequestTrace[]) => void) {
    this.#post = post;
  }

  readonly send = (trace: RequestTrace): void => {
    if (this.#waiting.push(trace) === 1) setTimeout(() => this.#post(this.#waiting.splice(0)), batchMs);
  };
}
