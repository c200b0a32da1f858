/** Limit of comparisons that the warnings of one pod may take, about 50 ms. The real server compares all pairs. */
const maxPairs = 2_000_000;

/** Limit of warnings about pairs: a response contains fewer. */
export const maxPodWarnings = 5_000;

/** Limits how many pairs of a pod's ports or paths are compared, so that a large pod does not block the event loop. */
export class PairBudget {
  #left = maxPairs;

  /** The elements to compare with the next one: all of them, or none when the budget is spent. */
  take<T>(elements: readonly T[]): readonly T[] {
    this.#left -= elements.length;
    return this.#left < 0 ? [] : elements;
  }
}
