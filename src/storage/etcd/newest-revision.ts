/**
 * Coalesces concurrent reads of the newest revision. A response is valid only for callers that came before its request was sent, so at
 * most one request is in flight and one is queued for all later callers.
 */
export class NewestRevision {
  readonly #ask: () => Promise<number>;
  #asking: Promise<number> | undefined;
  #next: Promise<number> | undefined;

  constructor(ask: () => Promise<number>) {
    this.#ask = ask;
  }

  read(): Promise<number> {
    if (!this.#asking) return this.#send();
    this.#next ??= this.#asking
      // Its failure is reported to its own callers.
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#send();
      });
    return this.#next;
  }

  #send(): Promise<number> {
    const asking = this.#ask().finally(() => {
      if (this.#asking === asking) this.#asking = undefined;
    });
    this.#asking = asking;
    return asking;
  }
}
