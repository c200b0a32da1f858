import type { ApiObject } from '../meta/index.ts';

/** Objects as they are stored, told by whoever follows the store: after every change the list is another one. */
export class FollowedObjects {
  readonly #byName = new Map<string, ApiObject>();
  #all: readonly ApiObject[] | undefined = [];

  /** Undefined: it is gone. */
  change(name: string, object: ApiObject | undefined): void {
    if (object) this.#byName.set(name, object);
    else this.#byName.delete(name);
    this.#all = undefined;
  }

  /** In order of name. */
  get all(): readonly ApiObject[] {
    this.#all ??= [...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    return this.#all;
  }
}
