/** What a reader may leave unread before it is cut off, in UTF-16 code units. */
const defaultMaxUnread = 16 * 1024 * 1024;

export type Chunk = string | Uint8Array;

/**
 * A stream of encoded events that is written by whoever has news and read at the reader's own pace. What waits is handed over in one
 * piece; a reader that leaves too much unread is cut off, so that it cannot hold memory.
 */
export class EventStream implements AsyncIterable<Chunk> {
  readonly #onClose: () => void;
  readonly #maxUnread: number;
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
      this.#waiting = [];
      this.end();
    } else this.#wake?.();
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
        while (this.#waiting.length === 0 && !this.#ended) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
        const value = this.#take();
        return value === undefined ? { done: true, value: undefined } : { done: false, value };
      },
      return: () => {
        this.#waiting = [];
        this.end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #take(): Chunk | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#unread = 0;
    const all = this.#waiting;
    this.#waiting = [];
    if (all.length === 1) return first;
    if (all.every((chunk) => typeof chunk === 'string')) return all.join('');
    return joined(all);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
  }
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
