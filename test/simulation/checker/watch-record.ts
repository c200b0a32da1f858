import type { JsonObject } from '../../../src/meta/index.ts';
import type { Commit, CommitHistory, VersionedObject } from '../model/commit-history.ts';
import type { SimulatedKind } from '../model/kinds.ts';
import { type ObjectView, sameView, versionOf, viewOf } from '../model/object-view.ts';
import { checkItems } from './check-responses.ts';
import { check, rules } from './violation.ts';

interface WatchedEvent {
  readonly type: string;
  readonly revision: number;
  readonly view: ObjectView;
}

export interface WatchRecordOptions {
  readonly name: string;
  readonly history: CommitHistory;
  readonly kind: SimulatedKind;
  selects(object: VersionedObject): boolean;
}

/** From one list on: every event after it, over all watches that were resumed from each other. */
export class WatchRecord {
  readonly #options: WatchRecordOptions;
  readonly #events: WatchedEvent[] = [];
  #from: number | undefined;
  #initial: JsonObject[] = [];
  #reached = 0;
  isExpired = false;

  constructor(options: WatchRecordOptions) {
    this.#options = options;
  }

  /** Whether the state it starts from is complete. */
  get isBegun(): boolean {
    return this.#from !== undefined;
  }

  /** All changes up to this revision have arrived. */
  get reached(): number {
    return this.#reached;
  }

  begin(revision: number): void {
    this.#from = revision;
    this.#reached = revision;
  }

  event(type: string, object: JsonObject): void {
    const { name, kind, history } = this.#options;
    if (!this.isBegun) {
      check(type === 'ADDED', rules.initialEvents, () => `${name}: ${type} before the end of the initial events`);
      this.#initial.push(object);
      return;
    }
    const [revision, view] = [versionOf(object), viewOf(kind, object)];
    check(
      revision > this.#reached && revision <= history.newest,
      rules.watchOrder,
      () => `${name}: ${type} ${view.name} at ${revision} after ${this.#reached}, the newest revision is ${history.newest}`,
    );
    this.#reached = revision;
    this.#events.push({ type, revision, view });
  }

  bookmark(revision: number, isInitialEnd: boolean): void {
    const { name, history } = this.#options;
    check(
      isInitialEnd !== this.isBegun,
      rules.initialEvents,
      () => `${name}: bookmark at ${revision}, initial events end: ${isInitialEnd}`,
    );
    check(
      revision >= this.#reached && revision <= history.newest,
      rules.bookmark,
      () => `${name}: bookmark at ${revision} after ${this.#reached}, the newest revision is ${history.newest}`,
    );
    if (!this.isBegun) this.#checkInitial(revision);
    this.#from ??= revision;
    this.#reached = revision;
  }

  /** Describes the changes up to `newest` that have not arrived; empty when all have. */
  missing(newest: number): string {
    const late = this.#expected(newest).filter(({ revision }) => revision > this.#reached);
    return late.map(({ type, view, revision }) => `${this.#options.name}: ${type} ${view.name} at ${revision}`).join();
  }

  verify(): void {
    const expected = this.#expected(this.#reached);
    const isComplete = expected.length === this.#events.length && expected.every((event, index) => isSame(event, this.#events[index]));
    check(
      isComplete,
      rules.watchComplete,
      () => `${this.#options.name} after ${this.#from} up to ${this.#reached}: ${describe(this.#events)} instead of ${describe(expected)}`,
    );
  }

  #checkInitial(revision: number): void {
    const { history, kind, selects } = this.#options;
    const objects = this.#initial.sort((a, b) => (viewOf(kind, a).name < viewOf(kind, b).name ? -1 : 1));
    checkItems(kind, objects, history.collectionAt(kind, revision).filter(selects), revision);
  }

  #expected(to: number): readonly WatchedEvent[] {
    const { history, kind } = this.#options;
    const from = this.#from;
    if (from === undefined) return [];
    return history
      .commitsOf(kind)
      .filter(({ revision }) => revision > from && revision <= to)
      .sort((a, b) => a.revision - b.revision)
      .flatMap((commit) => this.#eventOf(commit) ?? []);
  }

  /** An object that enters the selection is ADDED, one that leaves it DELETED, with its last content in it. */
  #eventOf({ before, after, revision }: Commit): WatchedEvent | undefined {
    const { selects } = this.#options;
    const wasIn = before !== undefined && selects(before);
    if (after && selects(after)) return { type: wasIn ? 'MODIFIED' : 'ADDED', revision, view: after.view };
    return wasIn ? { type: 'DELETED', revision, view: before.view } : undefined;
  }
}

function isSame(a: WatchedEvent, b: WatchedEvent | undefined): boolean {
  return b !== undefined && a.type === b.type && a.revision === b.revision && sameView(a.view, b.view);
}

function describe(events: readonly WatchedEvent[]): string {
  return events.map(({ type, view, revision }) => `${type} ${view.name}@${revision}`).join();
}
