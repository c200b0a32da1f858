/** A callback, its time, and its number in the order of creation. */
export interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Timers in order of their time; those of the same time in the order in which they were added. */
export class TimerQueue {
  readonly #timers: Timer[] = [];

  get first(): Timer | undefined {
    return this.#timers[0];
  }

  add(timer: Timer): void {
    this.#timers.splice(this.#indexAfter(timer.atMs), 0, timer);
  }

  delete(timer: Timer): void {
    let index = this.#indexAfter(timer.atMs) - 1;
    while (index >= 0 && this.#timers[index] !== timer && this.#timers[index]?.atMs === timer.atMs) index--;
    if (this.#timers[index] === timer) this.#timers.splice(index, 1);
  }

  /** Index of the first timer that is later than `atMs`. */
  #indexAfter(atMs: number): number {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
