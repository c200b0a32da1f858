/** Numbers of matching pods by the values of a topology key. Cf. podtopologyspread preFilterState. */
export class DomainCounts {
  readonly #counts: Map<string, number>;
  /** The smallest number; undefined after a change. */
  #smallest: number | undefined;

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(counts);
  }

  at(value: string): number {
    return this.#counts.get(value) ?? 0;
  }

  /** Also adds the domain. */
  add(value: string, change: number): void {
    this.#counts.set(value, this.at(value) + change);
    this.#smallest = undefined;
  }

  /** The smallest number of pods in a domain; zero while there are fewer domains than wanted. Nodes are compared with it one after the other. */
  minimum(minDomains: number): number {
    if (this.#counts.size < minDomains) return 0;
    if (this.#smallest === undefined) {
      this.#smallest = Number.POSITIVE_INFINITY;
      for (const count of this.#counts.values()) this.#smallest = Math.min(this.#smallest, count);
    }
    return this.#smallest;
  }

  clone(): DomainCounts {
    return new DomainCounts(this.#counts);
  }
}
