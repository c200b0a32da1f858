import { concatBytes } from '../../meta/index.ts';

export type OutputStream = 'stdout' | 'stderr';

/** A line of output, or a part of one that has not ended yet. */
export interface LogEntry {
  readonly timeMs: number;
  /** Nanoseconds within the millisecond: entries of one moment are in order. */
  readonly nanoseconds: number;
  readonly stream: OutputStream;
  /** With its line break, if it has one. */
  readonly bytes: Uint8Array;
}

/** Bytes of output that are retained, in the format of the container runtime. Cf. containerLogMaxSize. */
const maxBytes = 10 * 1024 * 1024;

/** What that format adds to each line: `2026-01-01T00:00:00.000000000Z stdout F `. */
const lineOverhead = 40;

const lineBreak = 0x0a;

/** The longest line; longer ones are split. Cf. containerd's max_container_log_line_size. */
const maxLine = 16 * 1024;

/** The output of one instance of a container. */
export class ContainerLog {
  readonly #entries: LogEntry[] = [];
  /** Index of the first retained entry: those before it are removed together, since each removal moves all others. */
  #first = 0;
  readonly #partial = new Map<OutputStream, { timeMs: number; chunks: Uint8Array[]; length: number }>();
  readonly #listeners = new Set<() => void>();
  /** Number of entries that are not in the array any more. */
  #removed = 0;
  #bytes = 0;
  #isClosed = false;
  #lastMs = 0;
  #sequence = 0;

  append(stream: OutputStream, bytes: Uint8Array, timeMs: number): void {
    if (this.#isClosed) return;
    // One copy for all its lines, which are parts of it.
    const copy = bytes.slice();
    for (let from = 0; from < copy.length; ) {
      const end = copy.indexOf(lineBreak, from);
      const to = end < 0 ? copy.length : end + 1;
      this.#appendPart(stream, copy.subarray(from, to), timeMs, end >= 0);
      from = to;
    }
    this.#notify();
  }

  #appendPart(stream: OutputStream, part: Uint8Array, timeMs: number, isComplete: boolean): void {
    const partial = this.#partial.get(stream) ?? { timeMs, chunks: [], length: 0 };
    partial.chunks.push(part);
    partial.length += part.length;
    this.#partial.set(stream, partial);
    if (isComplete || partial.length >= maxLine) this.#finishLine(stream);
  }

  #finishLine(stream: OutputStream): void {
    const partial = this.#partial.get(stream);
    if (!partial) return;
    this.#partial.delete(stream);
    const bytes = concatBytes(partial.chunks);
    this.#sequence = partial.timeMs === this.#lastMs ? this.#sequence + 1 : 0;
    this.#lastMs = partial.timeMs;
    this.#entries.push({ timeMs: partial.timeMs, nanoseconds: this.#sequence % 1_000_000, stream, bytes });
    this.#bytes += bytes.length + lineOverhead;
    while (this.#bytes > maxBytes) {
      this.#bytes -= (this.#entries[this.#first]?.bytes.length ?? 0) + lineOverhead;
      this.#first++;
    }
    if (this.#first * 2 > this.#entries.length) this.#removeFirst();
  }

  #removeFirst(): void {
    this.#entries.splice(0, this.#first);
    this.#removed += this.#first;
    this.#first = 0;
  }

  /** The process has ended. */
  close(): void {
    for (const stream of [...this.#partial.keys()]) this.#finishLine(stream);
    this.#isClosed = true;
    this.#notify();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The number of the entry after the last. */
  get end(): number {
    return this.#removed + this.#entries.length;
  }

  /** Entries from a number on, with the number after the last of them. */
  from(number: number): { readonly entries: readonly LogEntry[]; readonly next: number } {
    return { entries: this.#entries.slice(Math.max(this.#first, number - this.#removed)), next: this.end };
  }

  /** Complete lines and the beginning of the last one, up to a number of bytes and lines from the end. */
  tail(maxLines: number, maxTailBytes: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let left = maxTailBytes;
    const from = Math.max(this.#first, this.#entries.length - maxLines);
    for (const { bytes } of this.#entries.slice(from).reverse()) {
      const part = bytes.subarray(Math.max(0, bytes.length - left));
      parts.unshift(part);
      left -= part.length;
      if (left <= 0) break;
    }
    const joined = new Uint8Array(maxTailBytes - left);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  /** Calls the listener after each change; the returned function removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
