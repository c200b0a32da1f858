/**
 * That a client goes before it has its answer, as a signal for those who ask for one. Hardly any request does, and to make and
 * abort a signal costs as much as a small answer.
 */
export class Departure {
  #controller: AbortController | undefined;
  #why: string | undefined;

  /** Only the first reason counts. */
  happen(why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#controller?.abort(new Error(why));
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#why !== undefined) this.#controller.abort(new Error(this.#why));
    }
    return this.#controller.signal;
  }
}
