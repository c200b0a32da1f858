import type { ApiHandler } from '../../meta/index.ts';

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
      if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return answer;
      this.#streams++;
      return { ...answer, body: endOnAbort(body, this.#streamAbort.signal, () => this.#streams--) };
    } finally {
      this.#inFlight--;
    }
  };

  async #waitForTarget(signal: AbortSignal): Promise<ApiHandler> {
    signal.throwIfAborted();
    while (this.#target === undefined) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      signal.throwIfAborted();
    }
    return this.#target;
  }
}

/** Ends the stream, and its source, when `end` aborts. */
function endOnAbort(body: AsyncIterable<string | Uint8Array>, end: AbortSignal, ended: () => void): AsyncIterable<string | Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let open = true;
  const close = (): void => {
    if (open) ended();
    open = false;
  };
  // Not awaited: a generator that waits for its next event settles `return` only after that event.
  const stop = (): { readonly done: true; readonly value: undefined } => {
    close();
    void iterator.return?.();
    return { done: true, value: undefined };
  };
  const next = (): Promise<IteratorResult<string | Uint8Array>> =>
    new Promise((resolve, reject) => {
      const over = (): void => resolve(stop());
      if (end.aborted) return over();
      end.addEventListener('abort', over, { once: true });
      // Removes the listener after each chunk, since a stream may have millions of chunks.
      iterator
        .next()
        .then(
          (result) => {
            if (result.done === true) close();
            resolve(result);
          },
          (error: unknown) => {
            close();
            reject(error);
          },
        )
        .finally(() => end.removeEventListener('abort', over));
    });
  return { [Symbol.asyncIterator]: () => ({ next, return: () => Promise.resolve(stop()) }) };
}
