import type { HistorySize } from '../history.ts';
import type { LoadedLog } from './log-store.ts';

/** Length up to which the tail of records needs no snapshot. */
export interface TailLimit {
  readonly records: number;
  readonly characters: number;
}

/**
 * Loading costs about 25 µs per record in IndexedDB (Chromium, measured) and 5 ns per character, so this tail takes a few tens of
 * milliseconds. A longer tail is accepted only in proportion to the size of the snapshot.
 */
export const defaultTailLimit: TailLimit = { records: 1000, characters: 1024 * 1024 };

/** Delays in milliseconds before a full store is tried again. An attempt writes all data, so the delay doubles with each failure. */
const firstRetryDelayMs = 1000;
const longestRetryDelayMs = 15_000;

/** Decides when the next snapshot is due, from the sizes of the stored snapshot and tail. */
export class SnapshotPolicy {
  readonly #limit: TailLimit;
  #snapshotCharacters: number;
  #records: number;
  #characters: number;
  /** The part of the tail that the running snapshot covers. */
  #covered: { readonly records: number; readonly characters: number } = { records: 0, characters: 0 };
  /** After a failure: the number of records before the next attempt. */
  #notBefore = 0;
  /** The store refused a record or a snapshot for lack of space, and has not accepted a record that needs free space since. */
  #isFull = false;
  /** The log contains revisions that were compacted, so a snapshot takes less space. */
  #hasCompactedRevisions: boolean;
  /** Browsers free the space of deleted data only some seconds later, so an attempt may fail that succeeds then. */
  #retryAtMs = 0;
  #retryDelayMs = firstRetryDelayMs;

  constructor(loaded: LoadedLog, limit: TailLimit) {
    this.#limit = limit;
    // A previous process may have been stopped between a compaction and its snapshot.
    this.#hasCompactedRevisions = loaded.records.length > 0;
    this.#snapshotCharacters = countCharacters(loaded.chunks);
    this.#records = loaded.records.length;
    this.#characters = countCharacters(loaded.records);
  }

  recordAppend(record: string): void {
    this.#records++;
    this.#characters += record.length;
  }

  isSnapshotDue(size: HistorySize, nowMs: number): boolean {
    const { records, characters } = this.#limit;
    if (this.#isFull && this.#hasCompactedRevisions && nowMs >= this.#retryAtMs) return true;
    if (this.#records < this.#notBefore) return false;
    const isLong = this.#records > Math.max(records, (size.keys + size.changes) / 8);
    const isLarge = this.#characters > Math.max(characters, this.#snapshotCharacters / 2);
    // After a compaction, most of the stored data may be obsolete.
    const isMostlyOld = this.#snapshotCharacters + this.#characters > 2 * size.characters + 2 * characters;
    return isLong || isLarge || isMostlyOld;
  }

  recordOutOfSpace(): void {
    this.#isFull = true;
  }

  recordFreeSpace(): void {
    this.#isFull = false;
  }

  /**
   * Whether a full store should be compacted now, because the snapshot that follows takes clearly less space. It writes all remaining
   * data, so the compaction waits until a sixteenth of it is obsolete.
   */
  isCompactionDue(size: HistorySize): boolean {
    return this.#isFull && size.characters - size.liveCharacters > size.characters / 16;
  }

  recordCompaction(): void {
    this.#hasCompactedRevisions = true;
    this.#retryAtMs = 0;
  }

  startSnapshot(): void {
    this.#covered = { records: this.#records, characters: this.#characters };
  }

  finishSnapshot(characters: number): void {
    this.#records -= this.#covered.records;
    this.#characters -= this.#covered.characters;
    this.#snapshotCharacters = characters;
    this.#notBefore = 0;
    this.#hasCompactedRevisions = false;
    this.#retryDelayMs = firstRetryDelayMs;
  }

  recordFailure(nowMs: number): void {
    this.#retryAtMs = nowMs + this.#retryDelayMs;
    this.#retryDelayMs = Math.min(2 * this.#retryDelayMs, longestRetryDelayMs);
    this.#notBefore = this.#records + this.#limit.records;
  }
}

function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
