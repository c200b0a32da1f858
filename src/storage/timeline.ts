import { lowerBound } from './ordered-keys.ts';

/** The revisions after the previous mark, up to `revision`, were written at `timeMs`. */
export interface TimeMark {
  readonly revision: number;
  readonly timeMs: number;
}

/** The write times of revisions, for compaction by age. Times never decrease with the revision. */
export class Timeline {
  #marks: TimeMark[] = [];

  /** Sets the time of `revision`, the newest one. */
  mark(revision: number, timeMs: number): void {
    this.#lowerTo(timeMs);
    if (this.#marks.at(-1)?.timeMs === timeMs) this.#marks.pop();
    this.#marks.push({ revision, timeMs });
  }

  /** The newest revision written at `timeMs` or before; undefined when all are newer. */
  revisionAt(timeMs: number): number | undefined {
    const after = lowerBound(this.#marks.length, (index) => (this.#marks[index]?.timeMs ?? 0) <= timeMs);
    return this.#marks[after - 1]?.revision;
  }

  /** Drops revisions up to `revision`. */
  compact(revision: number): void {
    this.#marks.splice(
      0,
      lowerBound(this.#marks.length, (index) => (this.#marks[index]?.revision ?? 0) <= revision),
    );
  }

  marks(): readonly TimeMark[] {
    return this.#marks;
  }

  /** After the clock was set back, times in the future become the current time; otherwise history would never expire. */
  #lowerTo(timeMs: number): void {
    const first = lowerBound(this.#marks.length, (index) => (this.#marks[index]?.timeMs ?? 0) <= timeMs);
    const last = this.#marks.at(-1);
    if (last && first < this.#marks.length) this.#marks.splice(first, this.#marks.length, { revision: last.revision, timeMs });
  }
}
