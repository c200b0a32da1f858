import { concatBytes } from '../meta/index.ts';

/** Buffered length at which a slow reader is disconnected, in UTF-16 code units. */
const defaultMaxUnread = 16 * 1024 * 1024;

/** Approximate length of one chunk of initial events, in UTF-16 code units or bytes. */
const pieceLength = 64 * 1024;

export type Chunk = string | Uint8Array;

/**
 * A stream of encoded events between a writer and a slower reader. All buffered chunks are delivered as one. The stream ends when a reader
 * leaves too much unread, which bounds its memory.
 */
export class EventStream implements AsyncIterable<Chunk> {
  readonly #onClose: () => void;
  readonly #maxUnread: number;
  /** Initial events, delivered before the buffer and encoded as they are read. */
  #initial: Iterator<Chunk> | undefined;
  #waiting: Chunk[] = [];
  #unread = 0;
  #wake: (() => void) | undefined;
  #ended = false;
  #closed = false;

  /** `onClose` is called once, when the reader has closed the stream or the stream has ended. */
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
   * Sends these chunks before everything written later. They are encoded as they are read, so that a large collection is never held whole.
   * Call it once, before the first read.
   */
  begin(initial: Iterator<Chunk>): void {
    this.#initial = initial;
    this.#wake?.();
  }

  /** Ends the stream after the buffered chunks are read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake?.();
    this.#close();
  }

  [Symbol.asyncIterator](): AsyncIterator<Chunk> {
    return this.#iterate(() => this.#takeInitial(pieceLength) ?? this.#takeAll());
  }

  /** The chunks as they were written, for protocols that send each event as a message. */
  separately(): AsyncIterable<Chunk> {
    return { [Symbol.asyncIterator]: () => this.#iterate(() => this.#takeInitial(1) ?? this.#takeOne()) };
  }

  #iterate(take: () => Chunk | undefined): AsyncIterator<Chunk> {
    return {
      next: async () => {
        for (;;) {
          const value = take();
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

  /** The next initial chunks, until they have a length. */
  #takeInitial(wanted: number): Chunk | undefined {
    const chunks: Chunk[] = [];
    for (let length = 0; this.#initial && length < wanted; ) {
      const next = this.#initial.next();
      if (next.done) this.#initial = undefined;
      else {
        chunks.push(next.value);
        length += next.value.length;
      }
    }
    return concatChunks(chunks);
  }

  #takeAll(): Chunk | undefined {
    this.#unread = 0;
    const all = this.#waiting;
    this.#waiting = [];
    return concatChunks(all);
  }

  #takeOne(): Chunk | undefined {
    const chunk = this.#waiting.shift();
    this.#unread -= chunk?.length ?? 0;
    return chunk;
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose();
  }
}

function concatChunks(chunks: readonly Chunk[]): Chunk | undefined {
  if (chunks.length <= 1) return chunks[0];
  return chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : concatBytes(chunks.map(encodeChunk));
}

const encodeChunk = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
