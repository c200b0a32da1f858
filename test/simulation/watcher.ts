import { readLines, readText } from '../../src/client/index.ts';
import { type ApiHandler, headersOf } from '../../src/meta/index.ts';
import type { Change } from '../../src/storage/index.ts';
import { contentAt, contentOf, type Ledger, nameOf } from './ledger.ts';
import { require, type World } from './world.ts';

/** What a watcher follows. */
export interface Selection {
  readonly query: Readonly<Record<string, string>>;
  selects(object: { readonly name: string; readonly side: string }): boolean;
}

export const selections: readonly Selection[] = [
  { query: {}, selects: () => true },
  { query: { labelSelector: 'side=left' }, selects: ({ side }) => side === 'left' },
  { query: { fieldSelector: 'metadata.name=a' }, selects: ({ name }) => name === 'a' },
];

interface Told {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
  readonly value: string;
}

/** From one list on: what was told after it, over all streams that went on from each other. */
interface Stretch {
  readonly from: number;
  readonly events: Told[];
  /** Everything up to here was told, says the watch. */
  reached: number;
  /** Said to be no longer kept. */
  expired: boolean;
}

export interface WatcherOptions {
  readonly name: string;
  readonly world: World;
  readonly api: ApiHandler;
  readonly selection: Selection;
}

interface StreamedEvent {
  readonly type: string;
  readonly object: {
    readonly code?: number;
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
  };
}

/** A client that lists once, follows the changes, and goes on after every break from where it was. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #stretches: Stretch[] = [];
  #ended = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get reached(): number {
    return this.#stretches.at(-1)?.reached ?? 0;
  }

  async run(): Promise<void> {
    const { world, name } = this.#options;
    while (!this.#ended) {
      try {
        const last = this.#stretches.at(-1);
        if (last === undefined || last.expired) await this.#list();
        else await this.#watch(last);
      } catch (error) {
        if (error instanceof Error && error.name === 'Violation') throw error;
        world.tell(name, `broke off: ${error instanceof Error ? error.message : error}`);
      }
      await world.clock.sleep(5 + world.random.integer(40));
    }
  }

  end(): void {
    this.#ended = true;
  }

  async #list(): Promise<void> {
    const answer = await this.#get({});
    if (answer.status !== 200) return;
    const { metadata } = JSON.parse(await readText(answer.body)) as { readonly metadata: { readonly resourceVersion: string } };
    const revision = Number(metadata.resourceVersion);
    this.#options.world.tell(this.#options.name, `listed at ${revision}`);
    this.#stretches.push({ from: revision, events: [], reached: revision, expired: false });
  }

  async #watch(stretch: Stretch): Promise<void> {
    const { world, name } = this.#options;
    world.tell(name, `watches after ${stretch.reached}`);
    const answer = await this.#get({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '2',
      resourceVersion: String(stretch.reached),
    });
    if (answer.status !== 200) return;
    for await (const line of readLines(answer.body)) {
      const { type, object } = JSON.parse(line) as StreamedEvent;
      world.tell(name, `${type} ${object.metadata.name ?? object.code} ${object.metadata.resourceVersion ?? ''}`);
      if (type === 'ERROR') {
        stretch.expired = object.code === 410;
        return;
      }
      const revision = Number(object.metadata.resourceVersion);
      require(type === 'BOOKMARK' ? revision >= stretch.reached : revision > stretch.reached, type === 'BOOKMARK'
        ? 'watch bookmarkable'
        : 'watch ordered and unique', () => `${name} was told of ${revision} after ${stretch.reached}`);
      stretch.reached = revision;
      if (type !== 'BOOKMARK') stretch.events.push({ type, name: object.metadata.name, revision, value: contentOf(object, name).value });
    }
  }

  #get(query: Readonly<Record<string, string>>): ReturnType<ApiHandler> {
    const search = new URLSearchParams({ ...this.#options.selection.query, ...query });
    return this.#options.api({
      method: 'GET',
      target: `/api/v1/namespaces/default/configmaps?${search}`,
      headers: headersOf([['accept', 'application/json']]),
      body: undefined,
      signal: new AbortController().signal,
    });
  }

  verify(ledger: Ledger, compacted: number): void {
    for (const { from, events, reached, expired } of this.#stretches) {
      const expected = ledger
        .changes()
        .filter(({ revision }) => revision > from && revision <= reached)
        .flatMap((change) => this.#seen(change) ?? []);
      require(JSON.stringify(events) === JSON.stringify(expected), 'watch reliable and resumable', () =>
        `${this.#options.name} was told ${JSON.stringify(events)} instead of ${JSON.stringify(expected)} between ${from} and ${reached}`);
      require(!expired || reached < compacted, 'watch resumable while history is kept', () =>
        `${this.#options.name} could not go on after ${reached}, kept since ${compacted}`);
    }
  }

  /** What a change is to this watcher. */
  #seen(change: Change): Told | undefined {
    const { selects } = this.#options.selection;
    const name = nameOf(change);
    const now = contentAt(change);
    const before = change.previous && contentAt({ ...change, entry: change.previous, revision: change.previous.revision });
    const isIn = now !== undefined && selects({ name, side: now.side });
    const wasIn = before !== undefined && selects({ name, side: before.side });
    const told = (type: string, value: string): Told => ({ type, name, revision: change.revision, value });
    if (now && isIn) return told(wasIn ? 'MODIFIED' : 'ADDED', now.value);
    return before && wasIn ? told('DELETED', before.value) : undefined;
  }
}
