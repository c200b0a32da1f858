import { bytesEqual } from './wtf8.ts';

interface RecentWrite {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Caches the texts of writes in flight, so that their watch events need not be decoded. */
export class RecentWritesCache {
  readonly #byKey = new Map<string, Set<RecentWrite>>();

  /** The returned function removes the text. */
  add(key: string, bytes: Uint8Array, text: string): () => void {
    const own = { bytes, text };
    const all = this.#byKey.get(key) ?? new Set();
    all.add(own);
    this.#byKey.set(key, all);
    return () => {
      all.delete(own);
      if (all.size === 0 && this.#byKey.get(key) === all) this.#byKey.delete(key);
    };
  }

  get(key: string, bytes: Uint8Array): string | undefined {
    for (const own of this.#byKey.get(key) ?? []) if (bytesEqual(own.bytes, bytes)) return own.text;
    return undefined;
  }
}
