/**
 * The contract of the storage engines. It knows keys, values, revisions and time, but no API objects.
 * Modelled on etcd's key-value service, so that an etcd cluster can implement it.
 *
 * - The whole key space has one sequence of revisions. It starts at 1 (empty) and increases by one per write.
 * - A write is acknowledged (its promise resolves) only when it is durable. Reads and watches return only writes that are acknowledged,
 *   or will be in the same event-loop turn, never one that may be rolled back.
 * - An `Entry` is immutable, and every reader gets the same object, so readers may attach derived values to it (an encoded
 *   text, for instance).
 */
export interface KeySpace {
  /** The newest revision that is durable. @throws KeySpaceError `timed-out` */
  revision(): Promise<number>;

  /** The newest revision in the local cache; a shared store may be further. Reads at it work while the store is unavailable. */
  observedRevision(): Promise<number>;

  /**
   * The entry of `key`, or undefined. With `at`: the entry at that revision.
   * @throws KeySpaceError `compacted` | `future-revision`
   */
  get(key: string, at?: number): Promise<Entry | undefined>;

  /**
   * Entries whose key starts with `prefix`, sorted by key (UTF-16 code units), at one revision.
   * @throws KeySpaceError `compacted` | `future-revision`
   */
  range(query: RangeQuery): Promise<RangeResult>;

  /**
   * Writes one key if it is at the expected revision (compare-and-swap).
   * Resolves when durable; rejects with nothing changed. Deleting a missing key fails with `revision-changed`.
   * @throws KeySpaceError `revision-changed` (with the `actual` entry) | `out-of-space` | `unavailable` | `timed-out`; after the
   * last two the outcome is unknown
   */
  commit(write: Write): Promise<Commit>;

  /**
   * The last commit with this `requestId`, as long as its revision is retained (newer than the compacted one), across restarts too;
   * undefined when no retained commit has it. A recent commit that was compacted early, to make space in a full store, is returned as
   * `CompactedCommit`.
   */
  findCommit(requestId: string): Promise<Commit | CompactedCommit | undefined>;

  /**
   * Calls `deliver` with every change after revision `after` to keys starting with `prefix`: in order, once each, without gaps.
   * An empty batch means only that all changes up to `revision` were delivered.
   * `deliver` must not throw and must not block. The promise resolves when the watch is established (changes retained since `after`
   * are delivered before it resolves); the returned function ends it. `failed` is called at most once, when the watch ends by itself
   * (key space closed, store lost). A watch may start at a future revision.
   * @throws KeySpaceError `compacted` when changes after `after` are no longer all retained
   */
  watch(query: WatchQuery): Promise<() => void>;

  /**
   * Drops revisions older than `revision`: reads and watches before it fail with `compacted`, reads at it and watches after it
   * do not. Compacting to the same or an older revision changes nothing. A compaction takes no revision and survives a restart.
   * @throws KeySpaceError `future-revision` | `out-of-space` | `unavailable`
   */
  compact(revision: number): Promise<void>;

  /** The oldest readable revision. */
  compactedRevision(): Promise<number>;

  /** Whether the entry is stored in an old encoding: then an update writes it even if nothing changes. Absent: there is one encoding. */
  needsRewrite?(entry: Entry): boolean;

  /** Ends all watches and releases files, databases and sockets. Acknowledged writes stay. */
  close(): Promise<void>;
}

export interface Entry {
  readonly key: string;
  readonly value: string;
  /** Revision of the write that (re)created the key. */
  readonly createRevision: number;
  /** Revision of the write of this value (etcd's mod_revision). */
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
  /** The revision of the read: `at` when given, else the newest. */
  readonly revision: number;
  /** Number of entries in the whole range (from `from` on); more than `entries.length` when `limit` truncated it. */
  readonly count: number;
}

export interface Write {
  readonly key: string;
  /** `absent`: the key must not exist. A number: its entry must have this revision. */
  readonly expected: 'absent' | number;
  /** The new value; undefined deletes the key. */
  readonly value: string | undefined;
  /**
   * Idempotency key, stored with the write, so that a retried request finds its commit. A second write with the same id to the key that
   * the request wrote last has no effect and resolves to the first commit.
   */
  readonly requestId?: string;
}

export interface Commit {
  readonly revision: number;
  readonly key: string;
  /** The new entry; undefined after a delete. */
  readonly entry: Entry | undefined;
  /** The replaced entry. */
  readonly previous: Entry | undefined;
}

/** A commit whose revision is compacted: its entries are no longer available. */
export interface CompactedCommit {
  readonly revision: number;
  readonly key: string;
  readonly isCompacted: true;
}

/** A commit as delivered to watchers. */
export type Change = Commit;

export interface WatchQuery {
  readonly prefix: string;
  /** Deliver changes with a revision greater than this. */
  readonly after: number;
  readonly deliver: (changes: readonly Change[], revision: number) => void;
  readonly onError: (error: KeySpaceError) => void;
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
  | 'newer-format'
  | 'encryption-failed';

/** An error of a key space, distinguished by `code`. */
export class KeySpaceError extends Error {
  readonly code: KeySpaceErrorCode;
  /** With `revision-changed`: the actual entry (undefined: none). */
  readonly actual: Entry | undefined;

  constructor(code: KeySpaceErrorCode, message: string, details: { readonly actual?: Entry | undefined; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.name = 'KeySpaceError';
    this.code = code;
    this.actual = details.actual;
  }
}

const unreadable = '\0unreadable ';

/** The text of a value that the store could not decode, with the reason: readers of the object get it as their error. */
export function unreadableValue(reason: string): string {
  return `${unreadable}${reason}`;
}

/** The reason; undefined for other values. */
export function unreadableReason(value: string): string | undefined {
  return value.startsWith(unreadable) ? value.slice(unreadable.length) : undefined;
}
