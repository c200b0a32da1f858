import { cacheKeyOf, type KubeObject } from '../../client/index.ts';

/**
 * Objects with the results of this controller's own writes, which informers show only later: a volume is not bound twice meanwhile.
 * Cf. pv_controller_base.go storeObjectUpdate.
 */
export class VersionedCache<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** Returns false when the cached object is newer. */
  store(object: T): boolean {
    const key = cacheKeyOf(object);
    const known = this.#objects.get(key);
    if (known && known.metadata.uid === object.metadata.uid && versionOf(known) > versionOf(object)) return false;
    this.#objects.set(key, object);
    return true;
  }

  delete(key: string): void {
    this.#objects.delete(key);
  }
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion ?? 0);
}
