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
  /** Characters of values deleted while the store is full, since the last early compaction. */
  #deletedCharacters = 0;
  /** The store is full and was compacted: a snapshot now takes less space than the last attempt. */
  #isRetryDue = false;

  constructor(loaded: LoadedLog, limit: TailLimit) {
    this.#limit = limit;
    this.#snapshotCharacters = countCharacters(loaded.chunks);
    this.#records = loaded.records.length;
    this.#characters = countCharacters(loaded.records);
  }

  recordAppend(record: string): void {
    this.#records++;
    this.#characters += record.length;
  }

  isSnapshotDue(size: HistorySize): boolean {
    const { records, characters } = this.#limit;
    if (this.#isRetryDue) return true;
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

  recordDelete(characters: number): void {
    if (this.#isFull) this.#deletedCharacters += characters;
  }

  /**
   * Whether a full store should be compacted now, because enough was deleted to retry the snapshot. An attempt writes all remaining data,
   * so it waits until a sixteenth of it was deleted.
   */
  isCompactionDue(size: HistorySize): boolean {
    return this.#isFull && this.#deletedCharacters > size.characters / 16;
  }

  recordCompaction(): void {
    this.#deletedCharacters = 0;
    this.#isRetryDue = this.#isFull;
  }

  startSnapshot(): void {
    this.#isRetryDue = false;
    this.#covered = { records: this.#records, characters: this.#characters };
  }

  finishSnapshot(characters: number): void {
    this.#records -= this.#covered.records;
    this.#characters -= this.#covered.characters;
    this.#snapshotCharacters = characters;
    this.#notBefore = 0;
  }

  recordFailure(): void {
    this.#isRetryDue = false;
    this.#notBefore = this.#records + this.#limit.records;
  }
}

function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
