import { ApiClient } from './api-client.ts';
import { KnownObjects } from './known-objects.ts';
import { bySide, everything, Listing } from './listing.ts';
import { objectNames, type RunContext, sides } from './run-context.ts';
import { Watcher } from './watching.ts';
import { Writing } from './writing.ts';

/** A client that reads and writes a few objects concurrently with many others. */
export class Client {
  /** Watches it has started, verified at the end of the run. */
  readonly watchers: Watcher[] = [];
  readonly #name: string;
  readonly #context: RunContext;
  readonly #known: KnownObjects;
  readonly #listing: Listing;
  readonly #writing: Writing;

  constructor(name: string, context: RunContext) {
    const api = new ApiClient(name, context.environment, context.network);
    this.#name = name;
    this.#context = context;
    this.#known = new KnownObjects(context, api);
    this.#listing = new Listing(context, api, this.#known);
    this.#writing = new Writing(name, context, api, this.#known);
  }

  /** Performs one operation. */
  async act(): Promise<void> {
    const { environment, kinds } = this.#context;
    const { once, pick } = environment;
    const kind = pick(kinds);
    if (once(50)) return this.#writing.deleteCollection();
    if (once(30)) return this.#watchFromPast();
    if (once(5)) return this.#listing.list();
    if (once(8)) {
      const version = once(2) ? undefined : once(2) ? 0 : this.#known.anyVersion();
      return this.#known.read(kind, pick(objectNames), version);
    }
    await this.#writing.write();
  }

  /** Reads everything once more when the faults are over. */
  async readAll(): Promise<void> {
    for (const kind of this.#context.kinds) for (const name of objectNames) await this.#known.read(kind, name);
  }

  async #watchFromPast(): Promise<void> {
    const { environment, kinds } = this.#context;
    const selection = environment.once(2) ? everything : bySide(environment.pick(sides));
    const watcher = new Watcher({ name: this.#name, context: this.#context, kind: environment.pick(kinds), selection, isSlow: false });
    this.watchers.push(watcher);
    await watcher.watchFrom(this.#known.anyVersion());
  }
}
