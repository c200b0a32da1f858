/** What a reader may leave unread before it is cut off, in UTF-16 code units. */
const defaultMaxUnread = 16 * 1024 * 1024;

/** About as much of what is made while it is read is handed over at once, in UTF-16 code units or bytes. */
const pieceLength = 64 * 1024;

export type Chunk = string | Uint8Array;

/**
 * A stream of encoded events that is written by whoever has news and read at the reader's own pace. What waits is handed over in one
 * piece; a reader that leaves too much unread is cut off, so that it cannot hold memory.
 */
export class EventStream implements AsyncIterable<Chunk> {
  readonly #onClose: () => void;
  readonly #maxUnread: number;
  /** What goes before all that waits, encoded as it is read. */
  #initial: Iterator<Chunk> | undefined;
  #waiting: Chunk[] = [];
  #unread = 0;
  #wake: (() => void) | undefined;
  #ended = false;
  #closed = false;

  /** `onClose` is called once, when the reader has gone or the stream has ended. */
  constructor(onClose: () => void, maxUnread: number = defaultMaxUnread) {
    this.#onClose = onClose;
    this.#maxUnread = maxUnread;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(chunk: Chunk): void {
    if (this.#ended) return;
    this.#waiting.push(chunk);
    this.#unread += chunk.length;
    if (this.#unread > this.#maxUnread) {
      this.#initial = undefined;
      this.#waiting = [];
      this.end();
    } else this.#wake?.();
  }

  /**
   * Sends these chunks before all that is written from now on. They are made as they are read, so that a reader of a large collection holds
   * little of it. To be called once, before anything is read.
   */
  begin(initial: Iterator<Chunk>): void {
    this.#initial = initial;
    this.#wake?.();
  }

  /** What was written is still read; then the stream is over. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake?.();
    this.#close();
  }

  [Symbol.asyncIterator](): AsyncIterator<Chunk> {
    return {
      next: async () => {
        for (;;) {
          const value = this.#takeInitial() ?? this.#take();
          if (value !== undefined) return { done: false, value };
          if (this.#ended) return { done: true, value: undefined };
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      },
      return: () => {
        this.#initial = undefined;
        this.#waiting = [];
        this.end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #takeInitial(): Chunk | undefined {
    const chunks: Chunk[] = [];
    for (let length = 0; this.#initial && length < pieceLength; ) {
      const next = this.#initial.next();
      if (next.done) this.#initial = undefined;
      else {
        chunks.push(next.value);
        length += next.value.length;
      }
    }
    return togetherOf(chunks);
  }

  #take(): Chunk | undefined {
    this.#unread = 0;
    const all = this.#waiting;
    this.#waiting = [];
    return togetherOf(all);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
  }
}

function togetherOf(chunks: readonly Chunk[]): Chunk | undefined {
  if (chunks.length <= 1) return chunks[0];
  return chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : joined(chunks);
}

function joined(chunks: readonly Chunk[]): Uint8Array {
  const parts = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
