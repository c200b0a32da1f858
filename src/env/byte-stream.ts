/** Bytes in one direction, as they arrive; chunks are not empty. The iterator's `return` stops reading. Rejects when the connection breaks. */
export type ByteSource = AsyncIterable<Uint8Array>;

/** The writing end of a byte stream. */
export interface ByteSink {
  /** Resolves when the receiver can take more. Rejects when the other side has closed the stream (a broken pipe). */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the stream after what was written: the reader sees its end. Calling it again has no effect. */
  close(): Promise<void>;
}

/** A connection in both directions. Each may end by itself, as in TCP. */
export interface ByteStream {
  readonly source: ByteSource;
  readonly sink: ByteSink;
  /** Closes both directions at once; reads and writes of both sides reject with `reason`. */
  abort(reason: Error): void;
}
