export interface LogLine {
  /** RFC 3339, with nanoseconds; empty for a line without one. */
  readonly time: string;
  readonly text: string;
}

export interface LogLimits {
  readonly lines: number;
  /** UTF-16 code units of all lines. */
  readonly characters: number;
  /** Longer lines are broken. */
  readonly lineLength: number;
}

export const logLimits: LogLimits = { lines: 10_000, characters: 4 * 1024 * 1024, lineLength: 64 * 1024 };

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;

/** The newest lines of a log whose lines begin with timestamps. Its memory is bounded. */
export class LogBuffer {
  readonly #limits: LogLimits;
  #lines: LogLine[] = [];
  #characters = 0;
  #rest = '';
  #lastTime = '';
  /** Lines up to this time are in the buffer already. */
  #resumedAfter = '';
  /** The number of lines that were removed. */
  dropped = 0;

  constructor(limits: LogLimits = logLimits) {
    this.#limits = limits;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** The time of the last line. */
  get lastTime(): string {
    return this.#lastTime;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#add(line);
    const { lineLength } = this.#limits;
    for (; this.#rest.length > lineLength; this.#rest = this.#rest.slice(lineLength)) this.#add(this.#rest.slice(0, lineLength));
    this.#trim();
  }

  /** The log has ended, or broken: its last line may have no line break. */
  end(): void {
    if (this.#rest !== '') this.#add(this.#rest);
    this.#rest = '';
    this.#trim();
  }

  /** The log will be read again from the time of its last line. */
  resume(): void {
    this.#rest = '';
    this.#resumedAfter = this.#lastTime;
  }

  #add(line: string): void {
    const [prefix = '', time = ''] = timestamp.exec(line) ?? [];
    if (time !== '' && time <= this.#resumedAfter) return;
    if (time !== '') this.#lastTime = time;
    this.#lines.push({ time, text: line.slice(prefix.length) });
    this.#characters += line.length;
  }

  #trim(): void {
    let count = Math.max(0, this.#lines.length - this.#limits.lines);
    const lengthOf = ({ time, text }: LogLine): number => time.length + text.length;
    for (const line of this.#lines.slice(0, count)) this.#characters -= lengthOf(line);
    for (let line = this.#lines[count]; line && this.#characters > this.#limits.characters; line = this.#lines[++count])
      this.#characters -= lengthOf(line);
    this.#lines.splice(0, count);
    this.dropped += count;
  }
}
