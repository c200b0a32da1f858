export type Comparator<Row> = (a: Row, b: Row) => number;

/**
 * Sorted rows, and separately those that match the filter. A change takes two binary searches, so that thousands of
 * objects with many changes a second remain sorted.
 */
export class SortedRows<Row extends { readonly key: string }> {
  readonly #byKey = new Map<string, Row>();
  #baseOrder: Comparator<Row>;
  #order: Comparator<Row>;
  #passes: (row: Row) => boolean = () => true;
  #shown: Row[] = [];

  constructor(order: Comparator<Row>) {
    this.#baseOrder = order;
    this.#order = tieBreakByKey(order);
  }

  /** The rows that match the filter, sorted. */
  get shown(): readonly Row[] {
    return this.#shown;
  }

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Row | undefined {
    return this.#byKey.get(key);
  }

  values(): IterableIterator<Row> {
    return this.#byKey.values();
  }

  replace(rows: readonly Row[]): void {
    this.#byKey.clear();
    for (const row of rows) this.#byKey.set(row.key, row);
    this.#rebuild();
  }

  put(row: Row): void {
    this.delete(row.key);
    this.#byKey.set(row.key, row);
    if (this.#passes(row)) this.#shown.splice(this.#insertionIndex(row), 0, row);
  }

  delete(key: string): void {
    const row = this.#byKey.get(key);
    if (row === undefined) return;
    this.#byKey.delete(key);
    const at = this.indexOf(row);
    if (at >= 0) this.#shown.splice(at, 1);
  }

  /** The index of a row in `shown`, or -1. */
  indexOf(row: Row): number {
    const at = this.#insertionIndex(row);
    return this.#shown[at]?.key === row.key ? at : -1;
  }

  sort(order: Comparator<Row>): void {
    if (order === this.#baseOrder) return;
    this.#baseOrder = order;
    this.#order = tieBreakByKey(order);
    this.#rebuild();
  }

  filter(passes: (row: Row) => boolean): void {
    this.#passes = passes;
    this.#rebuild();
  }

  #rebuild(): void {
    this.#shown = [...this.#byKey.values()].filter(this.#passes).sort(this.#order);
  }

  /** The first index whose row is not before `row`. */
  #insertionIndex(row: Row): number {
    let from = 0;
    let to = this.#shown.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#shown[middle];
      if (other !== undefined && this.#order(other, row) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Makes the order total, so that a binary search finds each row. */
function tieBreakByKey<Row extends { readonly key: string }>(order: Comparator<Row>): Comparator<Row> {
  return (a, b) => order(a, b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}
