import { History } from './history.ts';
import {
  type Change,
  type Commit,
  type CompactedCommit,
  type Entry,
  type KeySpace,
  KeySpaceError,
  type RangeQuery,
  type RangeResult,
  type WatchQuery,
  type Write,
} from './key-space.ts';
import { Watchers } from './watchers.ts';

/** A key space that records the times of its revisions. */
export interface TimedKeySpace extends KeySpace {
  /** The newest revision written at `timeMs` or before, at least the compacted one. */
  revisionAt(timeMs: number): Promise<number>;
}

/** A change to apply, with the id of the request that made it. */
export interface DecidedChange {
  readonly change: Change;
  readonly requestId: string | undefined;
}

/**
 * Base class of the engines that hold their history in memory: reads, watches and their order.
 * Changes applied in one event-loop turn reach the watchers as one batch, before the writers of that turn continue and before any
 * later read resolves. So no read is ahead of the established watches.
 */
export abstract class HistoryKeySpace implements TimedKeySpace {
  #history: History;
  readonly #watchers = new Watchers();
  #unpublished: Change[] = [];
  #isPublishing = false;
  #isRejecting = false;
  #watchFailure: KeySpaceError | undefined;

  constructor(history: History = new History()) {
    this.#history = history;
  }

  protected get history(): History {
    return this.#history;
  }

  abstract commit(write: Write): Promise<Commit>;

  abstract compact(revision: number): Promise<void>;

  async revision(): Promise<number> {
    return this.#openHistory().revision;
  }

  async observedRevision(): Promise<number> {
    return this.#openHistory().revision;
  }

  async compactedRevision(): Promise<number> {
    return this.#openHistory().compactedRevision;
  }

  async get(key: string, at?: number): Promise<Entry | undefined> {
    return this.#openHistory().get(key, at);
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    return this.#openHistory().range(query);
  }

  async findCommit(requestId: string): Promise<Commit | CompactedCommit | undefined> {
    return this.#openHistory().committedBy(requestId);
  }

  async revisionAt(timeMs: number): Promise<number> {
    const history = this.#openHistory();
    return history.timeline.revisionAt(timeMs) ?? history.compactedRevision;
  }

  async watch(query: WatchQuery): Promise<() => void> {
    const history = this.#openHistory();
    if (this.#watchFailure) throw this.#watchFailure;
    const { prefix, after } = query;
    const retained = history.changesAfter(after);
    if (!retained)
      throw new KeySpaceError('compacted', `changes after ${after} are compacted: the oldest revision is ${history.compactedRevision}`);
    const end = this.#watchers.add({ ...query, after: Math.max(after, history.revision) });
    const missed = retained.filter((change) => change.key.startsWith(prefix));
    if (missed.length > 0) query.deliver(missed, history.revision);
    return end;
  }

  async close(): Promise<void> {
    this.rejectCalls();
    this.failWatches(closedError());
  }

  /** Rejects all further calls; watches still receive the changes that are applied. */
  protected rejectCalls(): void {
    this.#isRejecting = true;
  }

  /** Makes durable `changes` visible. They were decided on this history, in order of their revisions. */
  protected apply(changes: readonly DecidedChange[], timeMs: number): void {
    const isFirst = this.#unpublished.length === 0;
    for (const { change, requestId } of changes) {
      this.history.apply(change, timeMs, requestId);
      this.#unpublished.push(change);
    }
    // This microtask runs before the promise of any call that observed the changes resolves.
    if (isFirst) void Promise.resolve().then(() => this.#publish());
  }

  /** Replaces the history when changes between the two are lost. Ends all watches; clients may start new ones. */
  protected replaceHistory(history: History, why: KeySpaceError): void {
    this.#publish();
    this.#history = history;
    this.#watchers.fail(why);
  }

  protected assertOpen(): void {
    if (this.#isRejecting) throw closedError();
  }

  /** Ends all watches and rejects new ones, because changes can no longer be delivered without gaps. Reads continue. */
  protected failWatches(error: KeySpaceError): void {
    this.#publish();
    this.#watchFailure = error;
    this.#watchers.fail(error);
  }

  #openHistory(): History {
    this.assertOpen();
    return this.history;
  }

  #publish(): void {
    // Reentrant when a watcher closes the key space in its callback: the current batch is delivered to the other watchers first.
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    while (this.#unpublished.length > 0) {
      const changes = this.#unpublished;
      this.#unpublished = [];
      this.#watchers.publish(changes, changes.at(-1)?.revision ?? this.history.revision);
    }
    this.#isPublishing = false;
  }
}

export function closedError(): KeySpaceError {
  return new KeySpaceError('closed', 'the key space is closed');
}
