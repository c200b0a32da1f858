export interface StreamLimits {
  /** Limit of unread bytes in the worker; beyond it a watch is ended. */
  readonly unreadMaxBytes: number;
  /**
   * Limit of all bytes sent by one watch; then it is ended. Firefox buffers an unread body without limit and never stops pulling
   * (facts: 400 MB and more), so the total is the only bound there; clients resume the watch.
   */
  readonly watchMaxBytes: number;
}

type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * The open response streams. Each is strongly referenced here until it ends, because Firefox garbage-collects a stream whose controller
 * is unreferenced (after six seconds, with the watch still open in the page).
 */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  readonly #encode = createEncoder();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Streams a watch: events are pumped as they come, so that they do not accumulate in the core for a slow reader. */
  watch(source: Chunks, onCancel: () => void): ReadableStream<Uint8Array> {
    return this.#start(source, onCancel, 'pump');
  }

  /** Streams a large response: pulled as it is read. */
  list(source: Chunks, onCancel: () => void): ReadableStream<Uint8Array> {
    return this.#start(source, onCancel, 'pull');
  }

  /** Ends all streams for an update of the worker: Chromium waits 300 s for a worker with an open stream. */
  endAll(): void {
    for (const stream of this.#open) stream.end();
  }

  get size(): number {
    return this.#open.size;
  }

  #start(source: Chunks, onCancel: () => void, mode: 'pump' | 'pull'): ReadableStream<Uint8Array> {
    const onEnd = (): void => {
      this.#open.delete(stream);
    };
    const stream = new OpenStream(source, { onCancel, onEnd, encode: this.#encode, limits: this.#limits });
    this.#open.add(stream);
    return stream.readable(mode);
  }
}

interface StreamOptions {
  readonly onCancel: () => void;
  readonly onEnd: () => void;
  readonly encode: (chunk: string | Uint8Array) => Uint8Array;
  readonly limits: StreamLimits;
}

class OpenStream {
  readonly #iterator: AsyncIterator<string | Uint8Array>;
  readonly #options: StreamOptions;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #sentBytes = 0;

  constructor(source: Chunks, parts: StreamOptions) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#options = parts;
  }

  readable(mode: 'pump' | 'pull'): ReadableStream<Uint8Array> {
    const strategy = new ByteLengthQueuingStrategy({ highWaterMark: mode === 'pump' ? 0 : 256 * 1024 });
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      this.#controller = controller;
      if (mode === 'pump') void this.#pump();
    };
    const pull = mode === 'pull' ? (): Promise<boolean> => this.#step() : undefined;
    // Propagates the caller's abort to the core: `event.request.signal` never fires, only this does.
    const cancel = (): void => this.#release();
    return new ReadableStream({ start, ...(pull ? { pull: async (): Promise<void> => void (await pull()) } : {}), cancel }, strategy);
  }

  end(): void {
    const controller = this.#controller;
    this.#release();
    controller?.close();
  }

  async #pump(): Promise<void> {
    while (await this.#step()) {
      const unread = -(this.#controller?.desiredSize ?? 0);
      const { unreadMaxBytes, watchMaxBytes } = this.#options.limits;
      if (unread > unreadMaxBytes || this.#sentBytes > watchMaxBytes) return this.end();
    }
  }

  /** Forwards one chunk; false after the last one. */
  async #step(): Promise<boolean> {
    try {
      const { done, value } = await this.#iterator.next();
      if (this.#controller === undefined) return false;
      if (done === true) {
        this.end();
        return false;
      }
      const bytes = this.#options.encode(value);
      this.#sentBytes += bytes.length;
      this.#controller.enqueue(bytes);
      return true;
    } catch (error) {
      const controller = this.#controller;
      this.#release();
      controller?.error(error);
      return false;
    }
  }

  #release(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#options.onEnd();
    this.#options.onCancel();
    // Not awaited: a source that waits for its next event returns only after it.
    this.#iterator.return?.().catch(() => undefined);
  }
}

/** Caches the last encoding, since all watchers of an event get the same text in succession. */
function createEncoder(): (chunk: string | Uint8Array) => Uint8Array {
  const encoder = new TextEncoder();
  let lastText = '';
  let lastBytes = encoder.encode('');
  return (chunk) => {
    if (typeof chunk !== 'string') return chunk;
    if (chunk !== lastText) {
      lastText = chunk;
      lastBytes = encoder.encode(chunk);
    }
    return lastBytes;
  };
}
