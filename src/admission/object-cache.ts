import type { ApiObject } from '../meta/index.ts';

/** A cache of stored objects, updated by a watch. Every change replaces the list. */
export class ObjectCache {
  readonly #byName = new Map<string, ApiObject>();
  #all: readonly ApiObject[] | undefined = [];

  /** Undefined when the object was deleted. */
  update(name: string, object: ApiObject | undefined): void {
    if (object) this.#byName.set(name, object);
    else this.#byName.delete(name);
    this.#all = undefined;
  }

  /** Sorted by name. */
  get all(): readonly ApiObject[] {
    this.#all ??= [...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    return this.#all;
  }
}
