import { sameBytes } from './text-bytes.ts';

interface OwnText {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Caches the texts of writes in flight, so that their watch events need not be decoded. */
export class OwnTexts {
  readonly #byKey = new Map<string, Set<OwnText>>();

  /** The returned function removes the text. */
  remember(key: string, bytes: Uint8Array, text: string): () => void {
    const own = { bytes, text };
    const all = this.#byKey.get(key) ?? new Set();
    all.add(own);
    this.#byKey.set(key, all);
    return () => {
      all.delete(own);
      if (all.size === 0 && this.#byKey.get(key) === all) this.#byKey.delete(key);
    };
  }

  of(key: string, bytes: Uint8Array): string | undefined {
    for (const own of this.#byKey.get(key) ?? []) if (sameBytes(own.bytes, bytes)) return own.text;
    return undefined;
  }
}
