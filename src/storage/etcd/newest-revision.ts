/**
 * Coalesces concurrent reads of the newest revision. A response is valid only for callers that came before its request was sent, so at
 * most one request is in flight and one is queued for all later callers.
 */
export class NewestRevision {
  readonly #fetch: () => Promise<number>;
  #inFlight: Promise<number> | undefined;
  #queued: Promise<number> | undefined;

  constructor(fetch: () => Promise<number>) {
    this.#fetch = fetch;
  }

  read(): Promise<number> {
    if (!this.#inFlight) return this.#send();
    this.#queued ??= this.#inFlight
      // Its failure is reported to its own callers.
      .catch(() => {})
      .then(() => {
        this.#queued = undefined;
        return this.#send();
      });
    return this.#queued;
  }

  #send(): Promise<number> {
    const request = this.#fetch().finally(() => {
      if (this.#inFlight === request) this.#inFlight = undefined;
    });
    this.#inFlight = request;
    return request;
  }
}
