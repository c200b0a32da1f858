/** What the keys of a terminal do, besides editing the line. */
export interface LineEditorEvents {
  /** Writes to the terminal. */
  echo(text: string): void;
  /** A line was entered, with its line break; or a part of one, by Ctrl-D. */
  line(text: string): void;
  /** Ctrl-D on an empty line. */
  end(): void;
  /** Ctrl-C, Ctrl-Z, Ctrl-\. What was typed is dropped. */
  signal(name: TerminalSignal): void;
}

export type TerminalSignal = 'INT' | 'TSTP' | 'QUIT';

const historyMax = 100;
/** What follows the escape character. */
const escapeSequence = /^[[O]([0-9;]*)([A-Za-z~])/;
const beginOfSequence = /^(?:[[O][0-9;]*)?$/;
const escapeCharacter = '\x1b';

/**
 * Edits the line of a terminal: what a tty does in canonical mode, with the cursor keys and the history of interactive shells. Cf.
 * termios(3), BusyBox libbb/lineedit.c.
 */
export class LineEditor {
  readonly #events: LineEditorEvents;
  readonly #history: string[] = [];
  #line = '';
  #cursor = 0;
  /** Index into the history; its length: the new line. */
  #at = 0;
  /** The beginning of an escape sequence. */
  #rest = '';

  constructor(events: LineEditorEvents) {
    this.#events = events;
  }

  /** Keys as a terminal sends them: characters, control characters and escape sequences. */
  type(keys: string): void {
    let rest = this.#rest + keys;
    this.#rest = '';
    while (rest !== '') {
      const isEscape = rest.startsWith(escapeCharacter);
      const [sequence, parameters = '', final = ''] = (isEscape && escapeSequence.exec(rest.slice(1))) || [];
      if (sequence !== undefined) {
        this.#escape(parameters, final);
        rest = rest.slice(1 + sequence.length);
      } else if (isEscape && beginOfSequence.test(rest.slice(1))) {
        this.#rest = rest;
        return;
      } else {
        const [key = ''] = rest;
        rest = rest.slice(key.length);
        this.#key(key);
      }
    }
  }

  #key(key: string): void {
    const edit = this.#edits[key];
    if (edit) edit();
    else if (key >= ' ' || key === '\t') this.#replace(this.#cursor, this.#cursor, key);
  }

  /** What control characters do. */
  readonly #edits: Readonly<Record<string, () => void>> = {
    '\r': () => this.#enter(),
    '\n': () => this.#enter(),
    '\x7f': () => this.#replace(Math.max(0, this.#cursor - 1), this.#cursor, ''),
    '\b': () => this.#replace(Math.max(0, this.#cursor - 1), this.#cursor, ''),
    '\x01': () => this.#moveTo(0),
    '\x05': () => this.#moveTo(this.#line.length),
    '\x15': () => this.#replace(0, this.#cursor, ''),
    '\x0b': () => this.#replace(this.#cursor, this.#line.length, ''),
    '\x17': () => this.#replace(this.#line.slice(0, this.#cursor).replace(/\S+\s*$/, '').length, this.#cursor, ''),
    '\x0c': () => this.#events.echo(`\x1b[H\x1b[2J${this.#line}${'\b'.repeat(this.#line.length - this.#cursor)}`),
    '\x04': () => this.#endInput(),
    '\x03': () => this.#interrupt('^C', 'INT'),
    '\x1a': () => this.#interrupt('^Z', 'TSTP'),
    '\x1c': () => this.#interrupt('^\\', 'QUIT'),
  };

  #escape(parameters: string, final: string): void {
    const [left, right] = [this.#cursor - 1, this.#cursor + 1];
    if (final === 'D') this.#moveTo(Math.max(0, left));
    else if (final === 'C') this.#moveTo(Math.min(this.#line.length, right));
    else if (final === 'H' || parameters === '1') this.#moveTo(0);
    else if (final === 'F' || parameters === '4') this.#moveTo(this.#line.length);
    else if (final === 'A') this.#recall(this.#at - 1);
    else if (final === 'B') this.#recall(this.#at + 1);
    else if (parameters === '3') this.#replace(this.#cursor, Math.min(this.#line.length, right), '');
  }

  #enter(): void {
    const line = this.#line;
    this.#moveTo(line.length);
    this.#events.echo('\n');
    if (line.trim() !== '' && this.#history.at(-1) !== line) this.#history.push(line);
    if (this.#history.length > historyMax) this.#history.shift();
    this.#clear();
    this.#events.line(`${line}\n`);
  }

  #endInput(): void {
    const line = this.#line;
    this.#clear();
    if (line === '') this.#events.end();
    else this.#events.line(line);
  }

  #interrupt(shown: string, signal: TerminalSignal): void {
    this.#events.echo(`${shown}\n`);
    this.#clear();
    this.#events.signal(signal);
  }

  #clear(): void {
    this.#line = '';
    this.#cursor = 0;
    this.#at = this.#history.length;
  }

  #recall(at: number): void {
    if (at < 0 || at > this.#history.length) return;
    this.#at = at;
    this.#replace(0, this.#line.length, this.#history[at] ?? '');
  }

  #moveTo(cursor: number): void {
    const { echo } = this.#events;
    if (cursor < this.#cursor) echo('\b'.repeat(this.#cursor - cursor));
    else echo(this.#line.slice(this.#cursor, cursor));
    this.#cursor = cursor;
  }

  /** Replaces a part of the line, and shows it. */
  #replace(from: number, to: number, text: string): void {
    const tail = this.#line.slice(to);
    this.#moveTo(from);
    const dropped = Math.max(0, to - from - text.length);
    this.#events.echo(`${text}${tail}${' '.repeat(dropped)}${'\b'.repeat(tail.length + dropped)}`);
    this.#line = this.#line.slice(0, from) + text + tail;
    this.#cursor = from + text.length;
  }
}
