/** Text that is no YAML, told as `yaml: line 2: …`. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}

/** What is wrong while scanning is told with its line; the first one goes without saying. */
export function scanError(problem: string, line: number, contextLine = 0): YamlSyntaxError {
  const told = line > 0 ? line + 1 : contextLine;
  return new YamlSyntaxError(`yaml: ${told > 0 ? `line ${told}: ` : ''}${problem}`);
}

/** What is wrong between tokens is told with the line before, as go-yaml counts there from nought. */
export function grammarError(problem: string, line: number, contextLine: number): YamlSyntaxError {
  const told = line > 0 ? line : contextLine;
  return new YamlSyntaxError(`yaml: ${told > 0 ? `line ${told}: ` : ''}${problem}`);
}

const breaks = '\n\r\u0085\u2028\u2029';

/** A place in a text, with its line and column from nought. The end reads as ''. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.text = text;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? '';
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  isBreak(ahead = 0): boolean {
    const character = this.peek(ahead);
    return character !== '' && breaks.includes(character);
  }

  isBlank(ahead = 0): boolean {
    const character = this.peek(ahead);
    return character === ' ' || character === '\t';
  }

  /** A blank, a break or the end. */
  endsWord(ahead = 0): boolean {
    return this.peek(ahead) === '' || this.isBlank(ahead) || this.isBreak(ahead);
  }

  endsLine(ahead = 0): boolean {
    return this.peek(ahead) === '' || this.isBreak(ahead);
  }

  skip(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** One character, whole even when it is a pair of surrogates. */
  take(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    this.at += character.length;
    this.column++;
    return character;
  }

  /** What a sticky pattern of ASCII characters without breaks matches at the place. */
  takeMatch(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.skip(found.length);
    return found;
  }

  /** Up to an index on the same line, all in ASCII. */
  takeTo(end: number): string {
    const taken = this.text.slice(this.at, end);
    this.skip(end - this.at);
    return taken;
  }

  /** The break at the place, in the form in which it counts. */
  takeBreak(): string {
    const first = this.peek();
    this.at += first === '\r' && this.peek(1) === '\n' ? 2 : 1;
    this.line++;
    this.column = 0;
    return first === '\u2028' || first === '\u2029' ? first : '\n';
  }

  /** `---` or `...` at the beginning of a line. */
  atMarker(marker: '---' | '...'): boolean {
    return this.column === 0 && this.text.startsWith(marker, this.at) && this.endsWord(3);
  }
}
