import { listAndWatch } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';

/** Watches at most so many collections: what is beyond is looked at after the next command. */
const watchesMax = 12;

/** Calls back when something in one of some collections changes. */
export class CollectionWatch {
  readonly #api: ApiHandler;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #open = new Map<string, AbortController>();

  constructor(api: ApiHandler, clock: Clock, changed: () => void) {
    this.#api = api;
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Watches these from now on, and no others. */
  follow(paths: readonly string[]): void {
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
    const sink = { listed: this.#changed, changed: this.#changed };
    void listAndWatch({ api: this.#api, clock: this.#clock, path }, sink, stop.signal);
  }
}
