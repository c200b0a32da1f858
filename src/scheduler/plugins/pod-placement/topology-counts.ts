import type { Labels } from '../../../meta/index.ts';

/** Numbers by topology key and value. Entries of zero are removed. */
export class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** Adds to the topology of a node; nothing when the node is in none. */
  add(key: string, labels: Labels, change: number): void {
    const value = labels[key];
    if (value === undefined) return;
    const values = this.#counts.get(key) ?? new Map<string, number>();
    const count = (values.get(value) ?? 0) + change;
    if (count === 0) values.delete(value);
    else values.set(value, count);
    if (values.size === 0) this.#counts.delete(key);
    else this.#counts.set(key, values);
  }

  /** The number at the topology of a node. */
  at(key: string, labels: Labels): number {
    const value = labels[key];
    return value === undefined ? 0 : (this.#counts.get(key)?.get(value) ?? 0);
  }

  /** Whether a number of the node's topologies is positive. */
  matchesAny(labels: Labels): boolean {
    for (const [key, values] of this.#counts) if ((values.get(labels[key] ?? '') ?? 0) > 0 && labels[key] !== undefined) return true;
    return false;
  }

  /** The sum over the node's topologies. */
  sum(labels: Labels): number {
    let sum = 0;
    for (const key of this.#counts.keys()) sum += this.at(key, labels);
    return sum;
  }

  clone(): TopologyCounts {
    const copy = new TopologyCounts();
    for (const [key, values] of this.#counts) copy.#counts.set(key, new Map(values));
    return copy;
  }
}
