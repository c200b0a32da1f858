/** A binary heap of distinct items by key. */
export class Heap<T> {
  readonly #keyOf: (item: T) => string;
  readonly #less: (a: T, b: T) => boolean;
  readonly #items: T[] = [];
  readonly #indexes = new Map<string, number>();

  constructor(keyOf: (item: T) => string, less: (a: T, b: T) => boolean) {
    this.#keyOf = keyOf;
    this.#less = less;
  }

  get length(): number {
    return this.#items.length;
  }

  get(key: string): T | undefined {
    const index = this.#indexes.get(key);
    return index === undefined ? undefined : this.#items[index];
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, or replaces the one with its key. */
  set(item: T): void {
    const key = this.#keyOf(item);
    const index = this.#indexes.get(key) ?? this.#items.length;
    this.#put(index, item);
    this.#fix(index);
  }

  pop(): T | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.delete(this.#keyOf(first));
    return first;
  }

  delete(key: string): T | undefined {
    const index = this.#indexes.get(key);
    if (index === undefined) return undefined;
    const item = this.#items[index];
    const last = this.#items.pop();
    this.#indexes.delete(key);
    if (last !== undefined && index < this.#items.length) {
      this.#put(index, last);
      this.#fix(index);
    }
    return item;
  }

  #put(index: number, item: T): void {
    this.#items[index] = item;
    this.#indexes.set(this.#keyOf(item), index);
  }

  #fix(start: number): void {
    this.#down(this.#up(start));
  }

  #up(start: number): number {
    let index = start;
    for (let parent = (index - 1) >> 1; index > 0 && this.#isLess(index, parent); parent = (index - 1) >> 1) {
      this.#swap(index, parent);
      index = parent;
    }
    return index;
  }

  #down(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.#items.length) return;
      const smaller = left + 1 < this.#items.length && this.#isLess(left + 1, left) ? left + 1 : left;
      if (!this.#isLess(smaller, index)) return;
      this.#swap(index, smaller);
      index = smaller;
    }
  }

  #isLess(a: number, b: number): boolean {
    return this.#less(this.#items[a] as T, this.#items[b] as T);
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#items[a] as T, this.#items[b] as T];
    this.#put(a, second);
    this.#put(b, first);
  }
}
