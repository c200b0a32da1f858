import { ByteQueue, type ByteSink, type ByteSource, type ByteStream } from '../../../env/index.ts';
import { ByteReader } from '../../../http/index.ts';
import {
  type Frame,
  headLength,
  parseFrame,
  payloadLengthOf,
  writeData,
  writeGoAway,
  writePing,
  writeReset,
  writeSynReply,
} from './frames.ts';
import { emptyHeaderBlock, parseHeaderBlock, type StreamHeaders } from './header-block.ts';
import type { HeaderCompression } from './header-compression.ts';

/** A stream that the client has opened. */
export interface SpdyStream {
  readonly id: number;
  readonly headers: StreamHeaders;
  /** Ends when the client has ended its direction, or the connection. */
  readonly source: ByteSource;
  readonly sink: ByteSink;
  /** Ends both directions. */
  reset(): Promise<void>;
}

interface OpenStream {
  readonly queue: ByteQueue;
  isClosed: boolean;
}

const disconnected = new Error('the client has disconnected');

/** The server's side of a SPDY/3.1 connection. There is no flow control, as upstream has none (moby/spdystream). */
export class SpdyConnection {
  readonly #stream: ByteStream;
  readonly #compression: HeaderCompression;
  readonly #accept: (stream: SpdyStream) => boolean;
  readonly #streams = new Map<number, OpenStream>();
  readonly #disconnection = new AbortController();
  #lastStream = 0;
  #lastWrite: Promise<void> = Promise.resolve();

  /** `accept` is called for each new stream; false rejects it. */
  constructor(stream: ByteStream, compression: HeaderCompression, accept: (stream: SpdyStream) => boolean) {
    this.#stream = stream;
    this.#compression = compression;
    this.#accept = accept;
  }

  /** Aborted when the client has disconnected, or the connection is closed. */
  get signal(): AbortSignal {
    return this.#disconnection.signal;
  }

  /** Serves frames until the connection ends, breaks, or a frame is damaged. */
  async serve(): Promise<void> {
    const reader = new ByteReader(this.#stream.source);
    try {
      for (let frame = await readFrame(reader); frame && frame.kind !== 'goaway'; frame = await readFrame(reader))
        await this.#receive(frame);
    } catch (error) {
      if (!(error instanceof BrokenConnection)) throw error;
    } finally {
      this.#disconnection.abort(disconnected);
      for (const { queue } of this.#streams.values()) queue.end();
      this.#compression.close();
      await reader.close();
    }
  }

  /** Ends all streams, and the connection after what was written. */
  async close(): Promise<void> {
    // Unread data would prevent that the end is received.
    for (const { queue } of this.#streams.values()) queue.discard();
    for (const [id, stream] of this.#streams) if (!stream.isClosed) await this.#write(writeReset(id)).catch(() => {});
    await this.#write(writeGoAway(this.#lastStream)).catch(() => {});
    await this.#stream.sink.close();
  }

  async #receive(frame: Exclude<Frame, { readonly kind: 'goaway' }>): Promise<void> {
    switch (frame.kind) {
      case 'syn-stream':
        return this.#open(frame);
      case 'data': {
        const queue = this.#streams.get(frame.stream)?.queue;
        await queue?.push(frame.bytes);
        if (frame.isLast) queue?.end();
        return;
      }
      case 'headers':
        // They are not used, but change the context of the compression.
        await orBroken(this.#compression.decompress(frame.headers));
        if (frame.isLast) this.#streams.get(frame.stream)?.queue.end();
        return;
      case 'reset': {
        const stream = this.#streams.get(frame.stream);
        if (!stream) return;
        stream.isClosed = true;
        stream.queue.end();
        this.#streams.delete(frame.stream);
        return;
      }
      case 'ping':
        // Even ids are answers to pings of the server.
        return frame.id % 2 === 1 ? orBroken(this.#write(writePing(frame.id))) : undefined;
      case 'other':
        return;
    }
  }

  async #open({ stream: id, isLast, headers: block }: Extract<Frame, { readonly kind: 'syn-stream' }>): Promise<void> {
    const headers = parseHeaderBlock(await orBroken(this.#compression.decompress(block)));
    const open: OpenStream = { queue: new ByteQueue(), isClosed: false };
    this.#lastStream = Math.max(this.#lastStream, id);
    this.#streams.set(id, open);
    if (isLast) open.queue.end();
    const reset = (): Promise<void> => this.#reset(id, open);
    if (!this.#accept({ id, headers, source: open.queue, sink: this.#sinkOf(id, open), reset })) return reset();
    await orBroken(this.#write(this.#compression.compress(emptyHeaderBlock).then((reply) => writeSynReply(id, reply))));
  }

  async #reset(id: number, stream: OpenStream): Promise<void> {
    stream.isClosed = true;
    stream.queue.discard();
    if (this.#streams.delete(id)) await this.#write(writeReset(id));
  }

  #sinkOf(id: number, stream: OpenStream): ByteSink {
    return {
      write: (bytes) => {
        if (stream.isClosed || this.signal.aborted) return Promise.reject(disconnected);
        return this.#write(writeData(id, bytes, false));
      },
      close: async () => {
        if (stream.isClosed || this.signal.aborted) return;
        stream.isClosed = true;
        await this.#write(writeData(id, new Uint8Array(), true));
      },
    };
  }

  /** Frames are written one after the other, in the order of the calls. */
  #write(frame: Uint8Array | Promise<Uint8Array>): Promise<void> {
    const written = this.#lastWrite.then(async () => this.#stream.sink.write(await frame));
    this.#lastWrite = written.catch(() => {});
    return written;
  }
}

/** The client has disconnected, or does not support SPDY. */
class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}

async function orBroken<Result>(work: Promise<Result>): Promise<Result> {
  return await work.catch((cause: unknown) => {
    throw new BrokenConnection('the connection is broken', { cause });
  });
}

async function readFrame(reader: ByteReader): Promise<Frame | undefined> {
  const head = await orBroken(reader.read(headLength));
  const payload = head && (await orBroken(reader.read(payloadLengthOf(head))));
  return payload && parseFrame(head, payload);
}
