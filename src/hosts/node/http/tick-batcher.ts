/**
 * End-of-tick batcher: resolves all waiters at the end of the event-loop tick. Responses that are written together wake a client once, and
 * a wake-up costs as much as a small response.
 */
export class TickBatcher {
  #end: Promise<void> | undefined;

  endOfTick(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined;
        resolve();
      });
    });
    return this.#end;
  }
}
