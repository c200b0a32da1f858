import { cacheKeyOf, type KubeObject } from '../client/index.ts';

/** The last states that a controller wrote, for reconciliations that begin before its cache receives them. */
export class LastWritten<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  set(object: T): void {
    this.#objects.set(cacheKeyOf(object), object);
  }

  delete(key: string): void {
    this.#objects.delete(key);
  }

  /** The written state of a cached object, if it is newer. */
  newest(cached: T): T {
    const key = cacheKeyOf(cached);
    const written = this.#objects.get(key);
    if (written && written.metadata.uid === cached.metadata.uid && versionOf(written) > versionOf(cached)) return written;
    this.#objects.delete(key);
    return cached;
  }
}

/** Resource versions of one resource are comparable numbers. */
function versionOf({ metadata }: KubeObject): bigint {
  return BigInt(metadata.resourceVersion ?? 0);
}
