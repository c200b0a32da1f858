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
    if (this.#records < this.#notBefore) return false;
    const isLong = this.#records > Math.max(records, (size.keys + size.changes) / 8);
    const isLarge = this.#characters > Math.max(characters, this.#snapshotCharacters / 2);
    // After a compaction most of what is stored may be of no use any more.
    const isMostlyOld = this.#snapshotCharacters + this.#characters > 2 * size.characters + 2 * characters;
    return isLong || isLarge || isMostlyOld;
  }

  begun(): void {
    this.#covered = { records: this.#records, characters: this.#characters };
  }

  finished(characters: number): void {
    this.#records -= this.#covered.records;
    this.#characters -= this.#covered.characters;
    this.#snapshotCharacters = characters;
    this.#notBefore = 0;
  }

  failed(): void {
    this.#notBefore = this.#records + this.#limit.records;
  }
}

function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
