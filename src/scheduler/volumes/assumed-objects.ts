import type { Indexer, KubeObject } from '../../client/index.ts';

/** A cache with changes that are written but not seen yet. Cf. scheduler util assumecache. */
export class AssumedObjects<T extends KubeObject> {
  readonly #store: Indexer<T>;
  /** The assumed objects, and the versions that they replace. */
  readonly #assumed = new Map<string, { readonly object: T; readonly replaced: string | undefined }>();

  constructor(store: Indexer<T>) {
    this.#store = store;
  }

  get(key: string): T | undefined {
    const stored = this.#store.get(key);
    const assumed = this.#assumed.get(key);
    if (!assumed) return stored;
    if (stored?.metadata.resourceVersion === assumed.replaced) return assumed.object;
    this.#assumed.delete(key);
    return stored;
  }

  byIndex(name: string, value: string, keyOf: (object: T) => string): readonly T[] {
    return this.#store.byIndex(name, value).flatMap((object) => this.get(keyOf(object)) ?? []);
  }

  assume(key: string, object: T): void {
    this.#assumed.set(key, { object, replaced: this.#store.get(key)?.metadata.resourceVersion });
  }

  restore(key: string): void {
    this.#assumed.delete(key);
  }
}
