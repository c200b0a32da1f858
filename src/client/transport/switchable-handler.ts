import { type ApiHandler, isStream } from '../../meta/index.ts';
import { observeEnd } from './observe-end.ts';

/** A cluster whose transport can be replaced. Requests wait until a transport is set. */
export class SwitchableHandler {
  #target: ApiHandler | undefined;
  #inFlight = 0;
  #streams = 0;
  #waiters: (() => void)[] = [];
  #streamAbort = new AbortController();

  /** Number of forwarded requests without a response yet. */
  get open(): number {
    return this.#inFlight;
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#streams;
  }

  /** Sends waiting and later requests to this transport. */
  setTarget(target: ApiHandler): void {
    this.#target = target;
    for (const resume of this.#waiters.splice(0)) resume();
  }

  /** Makes new requests wait until the next transport is set. Ends open streams; their readers resume. */
  pause(): void {
    this.#target = undefined;
    this.#streamAbort.abort();
    this.#streamAbort = new AbortController();
  }

  readonly handle: ApiHandler = async (request) => {
    const target = await this.#waitForTarget(request.signal);
    this.#inFlight++;
    try {
      const answer = await target(request);
      const { body } = answer;
      if (!isStream(body)) return answer;
      this.#streams++;
      return { ...answer, body: observeEnd(body, () => this.#streams--, this.#streamAbort.signal) };
    } finally {
      this.#inFlight--;
    }
  };

  async #waitForTarget(signal: AbortSignal): Promise<ApiHandler> {
    signal.throwIfAborted();
    while (this.#target === undefined) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiters.push(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
      signal.throwIfAborted();
    }
    return this.#target;
  }
}
