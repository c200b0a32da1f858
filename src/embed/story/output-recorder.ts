/** Receives the output of commands as it is written. */
export interface OutputStreams {
  readonly signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
}

/** Characters of one run. More would slow down the page. */
const maxLength = 200_000;

/** Records the output and passes it on. A run with too much output is aborted. */
export class OutputRecorder implements OutputStreams {
  readonly signal: AbortSignal;
  readonly #streams: Pick<OutputStreams, 'out' | 'err'>;
  readonly #limit = new AbortController();
  #stdout = '';
  #text = '';

  constructor(streams: OutputStreams) {
    this.#streams = streams;
    this.signal = AbortSignal.any([streams.signal, this.#limit.signal]);
  }

  /** The standard output. */
  get stdout(): string {
    return this.#stdout;
  }

  /** Both streams, in the order of their writes. */
  get text(): string {
    return this.#text;
  }

  readonly out = (text: string): void => {
    if (!this.#record(text)) return;
    this.#stdout += text;
    this.#streams.out(text);
  };

  readonly err = (text: string): void => {
    if (this.#record(text)) this.#streams.err(text);
  };

  #record(text: string): boolean {
    if (this.#limit.signal.aborted) return false;
    this.#text += text;
    if (this.#text.length <= maxLength) return true;
    this.#streams.err(`\nstopped: the output is longer than ${maxLength} characters\n`);
    this.#limit.abort(new Error('too much output'));
    return false;
  }
}

/** For commands whose output is recorded only. */
export const silentStreams = (signal: AbortSignal): OutputStreams => ({ signal, out: () => undefined, err: () => undefined });
