/**
 * Ends of the event loop's turns, told to all who wait for one together. What is ready within a turn and written at its end wakes whoever
 * reads it once, and waking somebody costs as much as making a small answer.
 */
export class Turns {
  #end: Promise<void> | undefined;

  over(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined;
        resolve();
      });
    });
    return this.#end;
  }
}
