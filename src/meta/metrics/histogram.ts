import { formatGoFloat } from '../json/go-values.ts';
import type { MetricSample } from './metric-family.ts';

const leOf = (bound: number | undefined): string => (bound === undefined ? '+Inf' : formatGoFloat(bound));

/** A distribution of values. */
export class Histogram {
  /** Upper bounds of the buckets, ascending. */
  readonly #bounds: readonly number[];
  /** Number of values of each bucket that are in no earlier one; the last are above all bounds. */
  readonly #buckets: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#buckets = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    const index = bucket < 0 ? this.#bounds.length : bucket;
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Adds the values of a histogram with the same bounds. */
  add(other: Histogram): void {
    for (const [index, values] of other.#buckets.entries()) this.#buckets[index] = (this.#buckets[index] ?? 0) + values;
    this.#sum += other.#sum;
  }

  /** The number of observed values. */
  get count(): number {
    return this.#buckets.reduce((total, one) => total + one, 0);
  }

  /** None without values. */
  samples(labels: MetricSample['labels']): readonly MetricSample[] {
    return this.#buckets.every((values) => values === 0) ? [] : this.allSamples(labels);
  }

  /** Also those of zeros. */
  allSamples(labels: MetricSample['labels']): readonly MetricSample[] {
    let below = 0;
    const cumulative = this.#buckets.map((values, index) => {
      below += values;
      return { suffix: '_bucket', labels: { ...labels, le: leOf(this.#bounds[index]) }, value: below };
    });
    return [...cumulative, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: this.count }];
  }
}
