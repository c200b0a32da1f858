import { lowerBound } from './ordered-keys.ts';

/** The revisions up to `revision` (from the mark before it on) were written at `timeMs`. */
export interface TimeMark {
  readonly revision: number;
  readonly timeMs: number;
}

/** When revisions were written, so that history can be kept by age. Times never go back along the revisions. */
export class Timeline {
  #marks: TimeMark[] = [];

  /** The time that holds for `revision`, the newest one. */
  mark(revision: number, timeMs: number): void {
    this.#lowerTo(timeMs);
    if (this.#marks.at(-1)?.timeMs === timeMs) this.#marks.pop();
    this.#marks.push({ revision, timeMs });
  }

  /** The newest revision known to be written at `timeMs` or before; undefined when none is. */
  revisionAt(timeMs: number): number | undefined {
    const after = lowerBound(this.#marks.length, (index) => (this.#marks[index]?.timeMs ?? 0) <= timeMs);
    return this.#marks[after - 1]?.revision;
  }

  /** Forgets revisions up to `revision`. */
  compact(revision: number): void {
    this.#marks.splice(
      0,
      lowerBound(this.#marks.length, (index) => (this.#marks[index]?.revision ?? 0) <= revision),
    );
  }

  marks(): readonly TimeMark[] {
    return this.#marks;
  }

  /** A clock that was set back must not keep history for ever: what seems to come from the future comes from now. */
  #lowerTo(timeMs: number): void {
    const first = lowerBound(this.#marks.length, (index) => (this.#marks[index]?.timeMs ?? 0) <= timeMs);
    const last = this.#marks.at(-1);
    if (last && first < this.#marks.length) this.#marks.splice(first, this.#marks.length, { revision: last.revision, timeMs });
  }
}
