import { listAndWatch } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';

/** Limit of concurrent watches. Further collections are checked after the next command only. */
const watchesMax = 12;

/** Calls back when an object in one of the watched collections changes. */
export class CollectionWatch {
  readonly #api: ApiHandler;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #open = new Map<string, AbortController>();

  constructor(api: ApiHandler, clock: Clock, changed: () => void) {
    this.#api = api;
    this.#clock = clock;
    this.#onChange = changed;
  }

  /** Watches exactly these paths from now on. */
  setPaths(paths: readonly string[]): void {
    for (const [path, stop] of this.#open) {
      if (paths.includes(path)) continue;
      stop.abort();
      this.#open.delete(path);
    }
    for (const path of paths) if (!this.#open.has(path) && this.#open.size < watchesMax) this.#watch(path);
  }

  #watch(path: string): void {
    const stop = new AbortController();
    this.#open.set(path, stop);
    const handlers = { onListed: this.#onChange, onEvent: this.#onChange };
    void listAndWatch({ api: this.#api, clock: this.#clock, path }, handlers, stop.signal);
  }
}
