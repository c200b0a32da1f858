import type { HistorySize } from '../history.ts';
import type { LoadedLog } from './log-store.ts';

/** How long the tail of records may grow in any case. */
export interface TailLimit {
  readonly records: number;
  readonly characters: number;
}

/**
 * A record costs a start about 25 µs of its own in IndexedDB (Chromium, measured) and a character 5 ns; so this tail is a
 * few tens of milliseconds long. Beyond it the tail may be a part of what the snapshot takes anyway.
 */
export const defaultTailLimit: TailLimit = { records: 1000, characters: 1024 * 1024 };

/** Tells when the next snapshot is due, from what the store holds. */
export class SnapshotNeed {
  readonly #limit: TailLimit;
  #snapshotCharacters: number;
  #records: number;
  #characters: number;
  /** Of these, how many the snapshot in the making covers. */
  #covered: { readonly records: number; readonly characters: number } = { records: 0, characters: 0 };
  /** After a failure: not before the tail is so long. */
  #notBefore = 0;
  /** The store refused a record or a snapshot for lack of space, and has not taken a record that needs free space since. */
  #isFull = false;
  /** Characters of values deleted while the store is full, since it was last compacted to make space. */
  #deletedCharacters = 0;
  /** The store is full and was compacted: a snapshot now takes less space than the last attempt. */
  #isRetryDue = false;

  constructor(loaded: LoadedLog, limit: TailLimit) {
    this.#limit = limit;
    this.#snapshotCharacters = charactersIn(loaded.chunks);
    this.#records = loaded.records.length;
    this.#characters = charactersIn(loaded.records);
  }

  appended(record: string): void {
    this.#records++;
    this.#characters += record.length;
  }

  isDue(size: HistorySize): boolean {
    const { records, characters } = this.#limit;
    if (this.#isRetryDue) return true;
    if (this.#records < this.#notBefore) return false;
    const isLong = this.#records > Math.max(records, (size.keys + size.changes) / 8);
    const isLarge = this.#characters > Math.max(characters, this.#snapshotCharacters / 2);
    // After a compaction most of what is stored may be of no use any more.
    const isMostlyOld = this.#snapshotCharacters + this.#characters > 2 * size.characters + 2 * characters;
    return isLong || isLarge || isMostlyOld;
  }

  outOfSpace(): void {
    this.#isFull = true;
  }

  spaceFound(): void {
    this.#isFull = false;
  }

  deleted(characters: number): void {
    if (this.#isFull) this.#deletedCharacters += characters;
  }

  /**
   * Whether a full store should be compacted at once, since enough was deleted for a snapshot to be worth another attempt. An attempt
   * writes all that is left, so it waits for a sixteenth of it to be deleted.
   */
  isCompactionDue(size: HistorySize): boolean {
    return this.#isFull && this.#deletedCharacters > size.characters / 16;
  }

  compacted(): void {
    this.#deletedCharacters = 0;
    this.#isRetryDue = this.#isFull;
  }

  begun(): void {
    this.#isRetryDue = false;
    this.#covered = { records: this.#records, characters: this.#characters };
  }

  finished(characters: number): void {
    this.#records -= this.#covered.records;
    this.#characters -= this.#covered.characters;
    this.#snapshotCharacters = characters;
    this.#notBefore = 0;
  }

  failed(): void {
    this.#isRetryDue = false;
    this.#notBefore = this.#records + this.#limit.records;
  }
}

function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
