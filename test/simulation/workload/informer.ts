import { type ListError, listAndWatch } from '../../../src/client/index.ts';
import { checkItems } from '../checker/check-responses.ts';
import { WatchRecord } from '../checker/watch-record.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import type { Selection } from './listing.ts';
import type { RunContext } from './run-context.ts';

export interface InformerOptions {
  readonly name: string;
  readonly context: RunContext;
  readonly kind: SimulatedKind;
  readonly selection: Selection;
}

/** The product's own list-and-watch client, checked like any other watcher. */
export class Informer {
  readonly #options: InformerOptions;
  readonly #records: WatchRecord[] = [];
  readonly #ending = new AbortController();
  #violation: unknown;

  constructor(options: InformerOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { context, kind, selection } = this.#options;
    const { environment, network } = context;
    const sink = {
      onListed: (items: readonly Parameters<WatchRecord['event']>[1][], version: string) =>
        this.#check(() => this.#listed(items, Number(version))),
      onEvent: ({ type, object }: { readonly type: string; readonly object: Parameters<WatchRecord['event']>[1] }) =>
        this.#check(() => this.#records.at(-1)?.event(type, object)),
      onStateChange: (state: string, cause?: unknown) => {
        const status = (cause as Partial<ListError> | undefined)?.status;
        if (state === 'waiting' && status === 410) environment.coverage.count('informers expired');
      },
    };
    const options = {
      api: async (request: Parameters<typeof network>[0]) => (await network(request)).response,
      clock: environment.clock,
      path: kind.collection,
      query: selection.query,
      pageSize: 2,
    };
    await listAndWatch(options, sink, this.#ending.signal);
  }

  /** @throws Violation when a callback has found one */
  assertSound(): void {
    if (this.#violation !== undefined) throw this.#violation;
  }

  missing(): string {
    const { name, context } = this.#options;
    return this.#records.at(-1)?.missing(context.history.newest) ?? `${name} has no state`;
  }

  end(): void {
    this.#ending.abort();
  }

  verify(): void {
    for (const record of this.#records) record.verify();
  }

  #listed(items: readonly Parameters<WatchRecord['event']>[1][], revision: number): void {
    const { name, context, kind, selection } = this.#options;
    checkItems(kind, items, context.history.collectionAt(kind, revision).filter(selection.selects), revision);
    const record = new WatchRecord({ name, history: context.history, kind, selects: selection.selects });
    record.begin(revision);
    this.#records.push(record);
  }

  /** The client would treat an exception of its handler as a failed watch. */
  #check(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#violation ??= error;
    }
  }
}
