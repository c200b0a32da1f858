/** Invalid YAML, with the message `yaml: line 2: …`. */
export class YamlSyntaxError extends Error {
  override readonly name = 'YamlSyntaxError';
}

/** An error of the scanner, with its line; the first line is omitted. */
export function scanError(problem: string, line: number, contextLine = 0): YamlSyntaxError {
  const shownLine = line > 0 ? line + 1 : contextLine;
  return new YamlSyntaxError(`yaml: ${shownLine > 0 ? `line ${shownLine}: ` : ''}${problem}`);
}

/** An error of the parser; go-yaml counts its lines from zero here. */
export function grammarError(problem: string, line: number, contextLine: number): YamlSyntaxError {
  const shownLine = line > 0 ? line : contextLine;
  return new YamlSyntaxError(`yaml: ${shownLine > 0 ? `line ${shownLine}: ` : ''}${problem}`);
}

/** A class of ASCII characters by code: 1 for members. */
export type AsciiClass = Uint8Array;

/** The class of the ASCII characters that a pattern matches. */
export function asciiClass(pattern: RegExp): AsciiClass {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/** A position in a text, with line and column from zero. The end reads as ''. */
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

  /** The code unit of `peek`; NaN at the end. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead);
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  isBreak(ahead = 0): boolean {
    const code = this.code(ahead);
    return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
  }

  isBlank(ahead = 0): boolean {
    const code = this.code(ahead);
    return code === 0x20 || code === 0x09;
  }

  /** A blank, a break or the end. */
  endsWord(ahead = 0): boolean {
    return this.at + ahead >= this.text.length || this.isBlank(ahead) || this.isBreak(ahead);
  }

  endsLine(ahead = 0): boolean {
    return this.at + ahead >= this.text.length || this.isBreak(ahead);
  }

  skip(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** Takes one character, also a surrogate pair. */
  take(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    this.at += character.length;
    this.column++;
    return character;
  }

  /** Takes the characters of a class (without breaks) at the position. */
  takeRun(members: AsciiClass): string {
    const { text } = this;
    let end = this.at;
    while (members[text.charCodeAt(end)] === 1) end++;
    return this.takeTo(end);
  }

  /** Takes text up to an index on the same line, all ASCII. */
  takeTo(end: number): string {
    const taken = this.text.slice(this.at, end);
    this.skip(end - this.at);
    return taken;
  }

  /** Takes a line break and returns its normalized form. */
  takeBreak(): string {
    const first = this.code();
    this.at += first === 0x0d && this.code(1) === 0x0a ? 2 : 1;
    this.line++;
    this.column = 0;
    if (first === 0x2028) return '\u2028';
    return first === 0x2029 ? '\u2029' : '\n';
  }

  /** Takes line feeds and returns the folded text. Takes none when a blank or another break follows. */
  takeFoldedLineFeeds(): string {
    let count = 0;
    while (this.code(count) === 0x0a) count++;
    if (count === 0 || this.isBlank(count) || this.isBreak(count)) return '';
    this.at += count;
    this.line += count;
    this.column = 0;
    return count === 1 ? ' ' : '\n'.repeat(count - 1);
  }

  /** `---` or `...` at the start of a line. */
  atMarker(marker: '---' | '...'): boolean {
    return this.column === 0 && this.peek() === marker[0] && this.text.startsWith(marker, this.at) && this.endsWord(3);
  }
}
