/**
 * The contract between the core and whatever keeps its data. It knows keys, values, revisions and time, nothing of objects.
 * Modelled on etcd's key-value service, so that an etcd cluster fits behind it.
 *
 * - There is one line of revisions for the whole key space. It starts at 1 (an empty space) and grows by one a write.
 * - A write is acknowledged (its promise resolves) only when it is durable; reads and watches see only what is acknowledged
 *   or about to be in the same turn, never something that may be rolled back.
 * - A value is never changed in place: an `Entry` is immutable and the same object is handed to every reader, so that readers
 *   may keep what they derive from it (an encoded text, for instance) in a WeakMap.
 */
export interface KeySpace {
  /** The newest revision that is durable. @throws KeySpaceError `timed-out` */
  revision(): Promise<number>;

  /** The newest revision seen here: others on the same store may be further. A read at it is answered also while the store is away. */
  seenRevision(): Promise<number>;

  /**
   * The entry under `key`, or undefined. With `at` the entry as it was at that revision.
   * @throws KeySpaceError `compacted` | `future-revision`
   */
  get(key: string, at?: number): Promise<Entry | undefined>;

  /**
   * Entries whose key starts with `prefix`, in order of key (UTF-16 code units), at one revision.
   * @throws KeySpaceError `compacted` | `future-revision`
   */
  range(query: RangeQuery): Promise<RangeResult>;

  /**
   * One write to one key, if what is there is what the writer expects.
   * Resolves when durable. Rejects with nothing changed. Where nothing is there is nothing to delete: `revision-changed`.
   * @throws KeySpaceError `revision-changed` (with the `actual` entry) | `out-of-space` | `unavailable` | `timed-out`; after the
   * last two nobody knows whether it was done
   */
  commit(write: Write): Promise<Commit>;

  /**
   * What an earlier commit with this `requestId` did, as long as its revision is retained (newer than the
   * compacted one), across restarts too; undefined when there was none. With several, the last one.
   * Of a young commit that was compacted to make space in a full store it is still known that it was done.
   */
  committedBy(requestId: string): Promise<Commit | CompactedCommit | undefined>;

  /**
   * Calls `deliver` with every change after revision `after` to keys starting with `prefix`: in order, once each, without gaps.
   * Batches may be empty: then they tell only that all changes up to `revision` were delivered.
   * `deliver` must not throw and must not wait. The promise resolves when the watch is in place (changes retained since `after`
   * are delivered before it resolves); the returned function ends it. `failed` is called at most once, when the space can no
   * longer keep its promise (closed, store lost). A watch may begin at a revision to come.
   * @throws KeySpaceError `compacted` when changes after `after` are no longer all retained
   */
  watch(query: WatchQuery): Promise<() => void>;

  /**
   * Forgets what is older than `revision`: reads and watches before it fail with `compacted`, reads at it and watches after it
   * do not. Compacting again, or less far, changes nothing. A compaction takes no revision and outlives a restart.
   * @throws KeySpaceError `future-revision` | `out-of-space` | `unavailable`
   */
  compact(revision: number): Promise<void>;

  /** The oldest revision that can still be read. */
  compactedRevision(): Promise<number>;

  /** Ends all watches and lets go of files, databases and sockets. Acknowledged writes stay. */
  close(): Promise<void>;
}

export interface Entry {
  readonly key: string;
  readonly value: string;
  /** Revision of the write that made the key (again). */
  readonly createRevision: number;
  /** Revision of the write that made this value. */
  readonly revision: number;
}

export interface RangeQuery {
  readonly prefix: string;
  /** First key to return (inclusive); keys before it are skipped. */
  readonly from?: string;
  /** At most this many entries; all when absent. */
  readonly limit?: number;
  /** Read at this revision instead of the newest one. */
  readonly at?: number;
}

export interface RangeResult {
  readonly entries: readonly Entry[];
  /** The revision that was read: `at` when given, else the newest. */
  readonly revision: number;
  /** How many entries the whole range (from `from` on) holds; more than `entries.length` when `limit` cut it. */
  readonly count: number;
}

export interface Write {
  readonly key: string;
  /** `absent`: the key must not be there. A number: its entry must have this revision. */
  readonly expected: 'absent' | number;
  /** The new value; undefined deletes the key. */
  readonly value: string | undefined;
  /**
   * Stored with the write, so that a repeated request finds what it already did (see `committedBy`). A request writes a key once: a
   * second write of it, to the key that it wrote last, is not done and resolves to the commit of the first.
   */
  readonly requestId?: string;
}

export interface Commit {
  readonly revision: number;
  readonly key: string;
  /** What stands under the key now; undefined after a delete. */
  readonly entry: Entry | undefined;
  /** What stood there before. */
  readonly previous: Entry | undefined;
}

/** A commit whose revision is compacted: what it wrote, and what stood there before, is known no more. */
export interface CompactedCommit {
  readonly revision: number;
  readonly key: string;
  readonly isCompacted: true;
}

/** A commit as a watcher sees it. */
export type Change = Commit;

export interface WatchQuery {
  readonly prefix: string;
  /** Deliver changes with a revision greater than this. */
  readonly after: number;
  readonly deliver: (changes: readonly Change[], revision: number) => void;
  readonly failed: (error: KeySpaceError) => void;
}

export type KeySpaceErrorCode =
  | 'revision-changed'
  | 'compacted'
  | 'future-revision'
  | 'out-of-space'
  | 'unavailable'
  | 'timed-out'
  | 'closed'
  | 'corrupt'
  | 'newer-format';

/** What a key space refuses, told apart by `code`. */
export class KeySpaceError extends Error {
  readonly code: KeySpaceErrorCode;
  /** With `revision-changed`: the entry that was there instead (undefined: none). */
  readonly actual: Entry | undefined;

  constructor(code: KeySpaceErrorCode, message: string, details: { readonly actual?: Entry | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.name = 'KeySpaceError';
    this.code = code;
    this.actual = details.actual;
  }
}
