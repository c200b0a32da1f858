/** A map that drops the entry that was not used for the longest time when it is full. */
export class LruCache<Key, Value> {
  readonly #maxEntries: number;
  /** In order of use. */
  readonly #entries = new Map<Key, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
