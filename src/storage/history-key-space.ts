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

/** A key space that remembers when its revisions were written. */
export interface TimedKeySpace extends KeySpace {
  /** The newest revision written at `timeMs` or before, at least the compacted one. */
  revisionAt(timeMs: number): Promise<number>;
}

/** A change as the engines hand it to their readers, with the request that made it. */
export interface DecidedChange {
  readonly change: Change;
  readonly requestId: string | undefined;
}

/**
 * The reading half of every engine that keeps its history in memory: reads, watches and the order between them.
 * What is applied in one turn reaches the watchers as one batch, before the writers of that turn go on; and before any
 * later reader is answered, so nobody reads ahead of the watches in place.
 */
export abstract class HistoryKeySpace implements TimedKeySpace {
  #history: History;
  readonly #watchers = new Watchers();
  #unpublished: Change[] = [];
  #isPublishing = false;
  #isShut = false;
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
    return this.#readable().revision;
  }

  async seenRevision(): Promise<number> {
    return this.#readable().revision;
  }

  async compactedRevision(): Promise<number> {
    return this.#readable().compactedRevision;
  }

  async get(key: string, at?: number): Promise<Entry | undefined> {
    return this.#readable().get(key, at);
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    return this.#readable().range(query);
  }

  async committedBy(requestId: string): Promise<Commit | CompactedCommit | undefined> {
    return this.#readable().committedBy(requestId);
  }

  async revisionAt(timeMs: number): Promise<number> {
    const history = this.#readable();
    return history.timeline.revisionAt(timeMs) ?? history.compactedRevision;
  }

  async watch(query: WatchQuery): Promise<() => void> {
    const history = this.#readable();
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
    this.shut();
    this.failWatches(closedError());
  }

  /** From here on every call is refused; watches still hear what is applied. */
  protected shut(): void {
    this.#isShut = true;
  }

  /** Makes `changes` visible; they were decided on this history, one revision after the other, and are durable. */
  protected apply(changes: readonly DecidedChange[], timeMs: number): void {
    const isFirst = this.#unpublished.length === 0;
    for (const { change, requestId } of changes) {
      this.history.apply(change, timeMs, requestId);
      this.#unpublished.push(change);
    }
    // In the order of turns this comes before any answer to a call that saw the changes.
    if (isFirst) void Promise.resolve().then(() => this.#publish());
  }

  /** Goes on with another history, because changes between the two are lost: the watches in place end and may begin again. */
  protected replaceHistory(history: History, why: KeySpaceError): void {
    this.#publish();
    this.#history = history;
    this.#watchers.fail(why);
  }

  protected assertOpen(): void {
    if (this.#isShut) throw closedError();
  }

  /** Ends the watches, and refuses new ones: the space can no longer tell of every change. Reads go on. */
  protected failWatches(error: KeySpaceError): void {
    this.#publish();
    this.#watchFailure = error;
    this.#watchers.fail(error);
  }

  #readable(): History {
    this.assertOpen();
    return this.history;
  }

  #publish(): void {
    // A watcher that closes the space while it is told comes back here: the batch at hand goes to the others first.
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
