import { concatBytes } from '../meta/index.ts';
/** An input stream: chunks of bytes until the end. */
export interface Source {
  read(): Promise<Uint8Array | undefined>;
  /** Pushes a chunk back, to be read again. */
  unread(chunk: Uint8Array): void;
  /** Closes the reading end and notifies the writer. */
  close(): void;
  /** The user's terminal, from which programs may read what is typed meanwhile; undefined: there is none. */
  readonly terminal?: Terminal | undefined;
}

/** The terminal of an interactive program. */
export interface Terminal {
  /** `raw`: every key as it is typed; `lines`: edited lines, which the terminal echoes. */
  open(mode: 'raw' | 'lines'): Promise<TerminalSession>;
}

/** A program that reads from the terminal. */
export interface TerminalSession {
  /** Ends when the user ends the input, and with `close`. */
  readonly input: AsyncIterable<Uint8Array>;
  /** The size in characters, now and after each change, until `close`. */
  readonly sizes: AsyncIterable<TerminalSize>;
  close(): void;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** An output stream. Text is encoded as UTF-8. */
export interface Write {
  (chunk: string | Uint8Array): void;
  /** Only on terminals: marks the last line as the one of a deleted object. */
  readonly onDeleted?: ((resourceVersion: string) => void) | undefined;
}

/** A pipe between two commands. Writes never block; a closed reader stops the writer. */
export class Pipe implements Source {
  readonly #chunks: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  readonly #onClose: () => void;
  #ended = false;
  #closed = false;
  #wake: (() => void) | undefined;

  /** `onClose` is called when the reader closes, and on writes after that. */
  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  readonly write: Write = (chunk) => {
    if (this.#closed) return this.#onClose();
    if (chunk.length === 0) return;
    this.#chunks.push(typeof chunk === 'string' ? this.#encoder.encode(chunk) : chunk);
    this.#wake?.();
  };

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) return chunk;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  unread(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#chunks.unshift(chunk);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#ended) this.#onClose();
  }
}

/** A source with fixed content. */
export function sourceOf(content: string | Uint8Array): Source {
  let rest: Uint8Array | undefined = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    read() {
      const chunk = rest;
      rest = undefined;
      return Promise.resolve(chunk && chunk.length > 0 ? chunk : undefined);
    },
    unread(chunk) {
      rest = chunk;
    },
    close() {
      rest = undefined;
    },
  };
}

export async function readAll(source: Source): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let chunk = await source.read(); chunk; chunk = await source.read()) chunks.push(chunk);
  return concatBytes(chunks);
}

export async function readText(source: Source): Promise<string> {
  return new TextDecoder().decode(await readAll(source));
}

/** Yields lines as they arrive, without line breaks; the last may lack one. */
export async function* linesOf(source: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for (let chunk = await source.read(); chunk; chunk = await source.read()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
