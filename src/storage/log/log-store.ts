import type { KeySpaceError } from '../key-space.ts';

/**
 * The storage port of the log engine: one snapshot (a list of chunks) and the records appended since.
 * A store protects the texts with checksums and does not interpret them.
 *
 * The engine calls `load` once before anything else, and one `append` or `beginSnapshot` at a time. The chunks of a snapshot are written
 * concurrently with appends.
 */
export interface LogStore {
  /** Reads the whole log. A record that was torn before it was acknowledged is dropped silently. */
  load(): Promise<LoadedLog>;

  /**
   * Resolves when `record` is durable, after all records before it. When it rejects, bytes that may have been written are removed before
   * the next append.
   *
   * A full store must still be able to shrink, so it has a reserve: `free` (the default) never uses it, and fails with `out-of-space`
   * until the reserve is whole again; `reserve`, for records of deletes and compactions only, may use it up.
   * Snapshots may use the reserve too, since they replace more than they take; one that does not fit is removed when it is abandoned.
   * @throws KeySpaceError `out-of-space` | `unavailable`; the next call tries again
   */
  append(record: string, space?: AppendSpace): Promise<void>;

  /** Starts a snapshot that replaces the previous one and all records appended so far. */
  beginSnapshot(): Promise<SnapshotWriter>;

  /** Called at most once, when the store can never be appended to again (deleted, or taken over by another process). */
  onLost(listener: (error: KeySpaceError) => void): void;

  close(): Promise<void>;
}

/** The space of a store that an append may use. */
export type AppendSpace = 'free' | 'reserve';

export interface LoadedLog {
  readonly chunks: readonly string[];
  readonly records: readonly string[];
  /** Description of damage, if any; `chunks` and `records` are the texts before it. */
  readonly damage: string | undefined;
  /** Texts of records found after the damage; they may be incomplete. For reports only. */
  readonly recordsAfterDamage?: readonly string[];
  /** A snapshot must replace the loaded files before the first append: another process may still change them. */
  readonly needsSnapshot?: boolean;
}

/** An unfinished snapshot. The store loads the previous state until `finish` resolves, and the new snapshot after that. */
export interface SnapshotWriter {
  add(chunk: string): Promise<void>;
  finish(): Promise<void>;
  /** Never rejects. Frees the space at once, where that is possible. */
  abandon(): Promise<void>;
}
