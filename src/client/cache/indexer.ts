/** Returns the index values of an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Objects by key, with indexes. Cf. client-go tools/cache Indexer. */
export class Indexer<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, Index<T>>();

  /** Adds an index, also of the objects that are already stored. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const index = new Index(valuesOf);
    for (const [key, object] of this.#objects) index.add(key, object);
    this.#indexes.set(name, index);
  }

  /** Adds an index that another user of the store may have added, with the same name and values. */
  ensureIndex(name: string, valuesOf: IndexFunction<T>): void {
    if (!this.hasIndex(name)) this.addIndex(name, valuesOf);
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  get size(): number {
    return this.#objects.size;
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** The objects with an index value. @throws Error for an unknown index */
  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (!index) throw new Error(`unknown index ${name}`);
    return index.keysOf(value).flatMap((key) => this.#objects.get(key) ?? []);
  }

  /** Returns the object that was stored under the key before. */
  set(key: string, object: T): T | undefined {
    const before = this.delete(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) index.add(key, object);
    return before;
  }

  delete(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) index.remove(key, before);
    return before;
  }
}

class Index<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #keys = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  keysOf(value: string): readonly string[] {
    return [...(this.#keys.get(value) ?? [])];
  }

  add(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value) ?? new Set();
      this.#keys.set(value, keys.add(key));
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
  }
}
