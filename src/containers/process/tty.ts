import { LineEditor, type Source, type TerminalSignal } from '../../shell/index.ts';

/** What the process in the foreground of a terminal does. */
export interface Foreground {
  signal(name: TerminalSignal): void;
  /** The size of the terminal has changed: interactive programs write their line again. */
  redraw?(): void;
}

/** A terminal of a container: keys become lines, which it echoes, and signals. Cf. tty(4). */
export class Tty implements Source {
  foreground: Foreground | undefined;
  /** In characters. */
  size: { readonly width: number; readonly height: number } = { width: 80, height: 24 };
  /** Whether typed characters are shown. */
  isEchoing = true;
  /** Receives keys as they are typed, of which no lines are made; undefined: keys become lines. */
  onKeys: ((keys: string) => void) | undefined;
  readonly #editor: LineEditor;
  readonly #decoder = new TextDecoder();
  readonly #lines: Uint8Array[] = [];
  /** An end of the input is read once: further lines may follow. */
  #ends = 0;
  #isClosed = false;
  #wake = (): void => {};

  constructor(write: (text: string) => void) {
    const encoder = new TextEncoder();
    this.#editor = new LineEditor({
      echo: (text) => {
        // The line break at the end of a line is shown in any case.
        if (this.isEchoing || text === '\n') write(withCarriageReturns(text));
      },
      line: (text) => {
        this.#lines.push(encoder.encode(text));
        this.#wake();
      },
      end: () => {
        this.#ends++;
        this.#wake();
      },
      signal: (name) => this.foreground?.signal(name),
    });
  }

  /** Receives keys of the client. */
  write(bytes: Uint8Array): void {
    const keys = this.#decoder.decode(bytes, { stream: true });
    if (this.onKeys) this.onKeys(keys);
    else this.#editor.type(keys);
  }

  resize(size: Tty['size']): void {
    const isChanged = size.width !== this.size.width || size.height !== this.size.height;
    this.size = size;
    if (isChanged) this.foreground?.redraw?.();
  }

  /** The client has disconnected for good. */
  end(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const line = this.#lines.shift();
      if (line) return line;
      if (this.#ends > 0) {
        this.#ends--;
        return undefined;
      }
      if (this.#isClosed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  unread(bytes: Uint8Array): void {
    this.#lines.unshift(bytes);
  }

  /** A program has read enough; others may read further lines. */
  close(): void {}
}

/** The output of programs on a terminal (ONLCR). */
function withCarriageReturns(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

/** The same for bytes. */
export function terminalOutput(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(10)) return bytes;
  const output: number[] = [];
  for (const byte of bytes) {
    if (byte === 10) output.push(13);
    output.push(byte);
  }
  return Uint8Array.from(output);
}
