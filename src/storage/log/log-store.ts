import type { KeySpaceError } from '../key-space.ts';

/**
 * What the log engine needs of a place that keeps texts: one snapshot (a list of chunks) and the records appended since.
 * A store guards what it keeps with checksums and knows nothing of what the texts mean.
 *
 * The engine keeps to one call of `load` before anything else, and to one `append` or `beginSnapshot` at a time.
 * A snapshot is written beside appends.
 */
export interface LogStore {
  /** Everything kept. A record that was torn before it was acknowledged is left out without a word. */
  load(): Promise<LoadedLog>;

  /**
   * Resolves when `record` is durable, after all records before it. Rejects when it is not; then what may have been written
   * of it is taken back before anything else is appended.
   *
   * A full store must still be able to shrink. It holds a reserve back: `free` (the default) never uses it, and is refused with
   * `out-of-space` until the reserve is whole again; `reserve`, for records of deletes and compactions only, may use it up.
   * Snapshots may use the reserve too, since they replace more than they take; one that does not fit is removed when it is abandoned.
   * @throws KeySpaceError `out-of-space` | `unavailable`; the next call tries anew
   */
  append(record: string, space?: AppendSpace): Promise<void>;

  /** Begins a snapshot that stands for the one before it and all records appended up to now. */
  beginSnapshot(): Promise<SnapshotWriter>;

  /** Called at most once, when the store can never be appended to again (deleted, or taken over by another process). */
  onLost(listener: (error: KeySpaceError) => void): void;

  close(): Promise<void>;
}

/** Which space of a store an append may take. */
export type AppendSpace = 'free' | 'reserve';

export interface LoadedLog {
  readonly chunks: readonly string[];
  readonly records: readonly string[];
  /** Where the store found something it did not write; what it gives is what stood before that. */
  readonly damage: string | undefined;
  /** Texts of records that were found behind the damage; they may be incomplete. For reports only. */
  readonly recordsAfterDamage?: readonly string[];
  /** Nothing may be appended before a snapshot has replaced what was loaded: another process may still change it. */
  readonly needsSnapshot?: boolean;
}

/** A snapshot in the making. Until `finish` resolves the store loads what it had before; then the new one, at once. */
export interface SnapshotWriter {
  add(chunk: string): Promise<void>;
  finish(): Promise<void>;
  /** Never rejects. Frees the space it took at once, where that is possible. */
  abandon(): Promise<void>;
}
