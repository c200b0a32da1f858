import type { ApiHandler } from '../meta/index.ts';

/** A cluster whose way may change under its users: requests wait while there is none. */
export class SwitchableHandler {
  #target: ApiHandler | undefined;
  #open = 0;
  #streams = 0;
  #waiting: (() => void)[] = [];
  #ends = new AbortController();

  /** Requests that have been handed on and not been answered yet. */
  get open(): number {
    return this.#open;
  }

  /** Streams that were answered and have not ended. */
  get streams(): number {
    return this.#streams;
  }

  /** Requests from now on, and those that wait, take this way. */
  use(target: ApiHandler): void {
    this.#target = target;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** New requests wait until the next `use`; streams handed out end, and their readers resume. */
  hold(): void {
    this.#target = undefined;
    this.#ends.abort();
    this.#ends = new AbortController();
  }

  readonly handle: ApiHandler = async (request) => {
    const target = await this.#way(request.signal);
    this.#open++;
    try {
      const answer = await target(request);
      const { body } = answer;
      if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return answer;
      this.#streams++;
      return { ...answer, body: endingWith(body, this.#ends.signal, () => this.#streams--) };
    } finally {
      this.#open--;
    }
  };

  async #way(signal: AbortSignal): Promise<ApiHandler> {
    signal.throwIfAborted();
    while (this.#target === undefined) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      signal.throwIfAborted();
    }
    return this.#target;
  }
}

/** The stream until `end`; its source is then told to stop. */
function endingWith(body: AsyncIterable<string | Uint8Array>, end: AbortSignal, ended: () => void): AsyncIterable<string | Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let open = true;
  const close = (): void => {
    if (open) ended();
    open = false;
  };
  // Not awaited: a generator that is waiting for its next event answers `return` only after that event.
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
      // The listener is taken off after each chunk: a stream of a million chunks must not leave a million of them.
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
