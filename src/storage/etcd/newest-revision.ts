/**
 * Asks for the newest revision on behalf of everybody who waits for it. An answer counts for those who came before the question was
 * sent, so at most one question is on its way and one waits for all who came since.
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
      // Whether that one was answered is its askers' business.
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
