import { type AsciiClass, asciiClass, type Cursor, scanError } from './cursor.ts';
import { TextBuilder } from './text-builder.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
const codeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Characters of a line that need no individual check. */
export const lineOfAscii: AsciiClass = asciiClass(/[\t -~]/);
const doubleQuoted = asciiClass(/[!#-[\]-~]/);
const singleQuoted = asciiClass(/[!-&(-~]/);

/** Blanks and breaks between words: line breaks fold to a space, blank lines are preserved. */
class FoldedWhitespace {
  #blanks = '';
  #first = '';
  #rest = '';

  get broken(): boolean {
    return this.#first !== '';
  }

  get empty(): boolean {
    return this.#blanks === '' && this.#first === '';
  }

  /** Takes a blank or break at the cursor. */
  take(cursor: Cursor): void {
    if (cursor.isBlank()) {
      const blank = cursor.take();
      if (!this.broken) this.#blanks += blank;
      return;
    }
    this.#blanks = '';
    if (this.broken) this.#rest += cursor.takeBreak();
    else this.#first = cursor.takeBreak();
  }

  /** An escaped break joins the lines. */
  join(cursor: Cursor): void {
    cursor.takeBreak();
    while (cursor.isBlank() || cursor.isBreak()) {
      if (cursor.isBlank()) cursor.skip();
      else this.#rest += cursor.takeBreak();
    }
  }

  /** Returns the folded text and resets. */
  takeFolded(): string {
    const folded = this.#folded();
    this.#blanks = '';
    this.#first = '';
    this.#rest = '';
    return folded;
  }

  #folded(): string {
    if (!this.broken) return this.#blanks + this.#rest;
    if (this.#first !== '\n') return this.#first + this.#rest;
    return this.#rest === '' ? ' ' : this.#rest;
  }
}

const backslash = 0x5c;

interface QuotedStyle {
  /** The code of the quotation mark. */
  readonly quote: number;
  readonly isDouble: boolean;
  /** Characters that need no individual check. */
  readonly run: AsciiClass;
}

const doubleStyle: QuotedStyle = { quote: 0x22, isDouble: true, run: doubleQuoted };
const singleStyle: QuotedStyle = { quote: 0x27, isDouble: false, run: singleQuoted };

/** Scans a quoted scalar of either kind, the cursor at the opening quotation mark. @throws YamlSyntaxError */
export function scanQuoted(cursor: Cursor): string {
  const style = cursor.take() === '"' ? doubleStyle : singleStyle;
  const start = cursor.line;
  const builder = new TextBuilder();
  const whitespace = new FoldedWhitespace();
  for (;;) {
    if (cursor.atMarker('---') || cursor.atMarker('...')) throw scanError('found unexpected document indicator', cursor.line, start);
    if (cursor.ended) throw scanError('found unexpected end of stream', cursor.line, start);
    takeQuotedWord(cursor, style, start, builder, whitespace);
    if (cursor.code() === style.quote && whitespace.empty) {
      cursor.skip();
      builder.add(whitespace.takeFolded());
      return builder.finish();
    }
    if (whitespace.empty) builder.add(cursor.takeFoldedLineFeeds());
    while (cursor.isBlank() || cursor.isBreak()) whitespace.take(cursor);
    builder.add(whitespace.takeFolded());
  }
}

/** Takes characters up to a blank, a break or the closing quotation mark; an escaped break joins the lines. */
function takeQuotedWord(cursor: Cursor, style: QuotedStyle, start: number, builder: TextBuilder, whitespace: FoldedWhitespace): void {
  const { quote, isDouble, run } = style;
  builder.add(cursor.takeRun(run));
  while (!cursor.endsWord()) {
    const code = cursor.code();
    if (code === quote && (isDouble || cursor.code(1) !== quote)) return;
    if (code === backslash && isDouble && cursor.isBreak(1)) {
      cursor.skip();
      whitespace.join(cursor);
      return;
    }
    builder.add(takeQuotedCharacter(cursor, code, style, start));
    builder.add(cursor.takeRun(run));
  }
}

/** Takes one character, written as itself, doubled or escaped. */
function takeQuotedCharacter(cursor: Cursor, code: number, { quote, isDouble }: QuotedStyle, start: number): string {
  if (code === backslash && isDouble) return scanEscape(cursor, start);
  const character = cursor.take();
  if (code === quote) cursor.skip();
  return character;
}

function scanEscape(cursor: Cursor, start: number): string {
  const letter = cursor.peek(1);
  const plain = escapes.get(letter);
  const length = codeLengths.get(letter) ?? 0;
  if (plain === undefined && length === 0) throw scanError('found unknown escape character', cursor.line, start);
  cursor.skip(2);
  if (plain !== undefined) return plain;
  const hex = cursor.text.slice(cursor.at, cursor.at + length);
  if (hex.length < length || !/^[\da-fA-F]+$/.test(hex)) throw scanError('did not find expected hexdecimal number', cursor.line, start);
  const code = Number.parseInt(hex, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    throw scanError('found invalid Unicode character escape code', cursor.line, start);
  cursor.skip(length);
  return String.fromCodePoint(code);
}

const flowIndicators = ',?[]{}';
/** Characters that continue a plain scalar anywhere in a word. */
const plainInBlock = asciiClass(/[!-9;-~]/);
const plainInFlow = asciiClass(/[!-+\--9;->@-Z\\^-z|~]/);

export interface Plain {
  readonly text: string;
  /** Ended by a line break, so that a key may follow. */
  readonly brokenOff: boolean;
}

/** Scans a plain scalar. `indent`: of the surrounding block; `flow`: inside brackets. @throws YamlSyntaxError */
export function scanPlain(cursor: Cursor, indent: number, flow: boolean): Plain {
  const start = cursor.line;
  const builder = new TextBuilder();
  const whitespace = new FoldedWhitespace();
  while (!cursor.atMarker('---') && !cursor.atMarker('...') && cursor.peek() !== '#') {
    takePlainWords(cursor, indent, flow, builder, whitespace);
    if (!cursor.isBlank() && !cursor.isBreak()) break;
    takePlainWhitespace(cursor, indent, start, whitespace);
    if (!flow && cursor.column <= indent) break;
  }
  return { text: builder.finish(), brokenOff: whitespace.broken };
}

/** Takes words and the whitespace before them, up to the next other whitespace or the end of the scalar. */
function takePlainWords(cursor: Cursor, indent: number, flow: boolean, builder: TextBuilder, whitespace: FoldedWhitespace): void {
  for (let end = plainEnd(cursor, flow); !cursor.endsWord(); end = plainEnd(cursor, flow)) {
    if (end > cursor.at) {
      builder.add(whitespace.takeFolded());
      takeLines(cursor, end, indent, flow, builder);
      continue;
    }
    if (cursor.peek() === ':' && cursor.endsWord(1)) return;
    if (flow && flowIndicators.includes(cursor.peek())) return;
    builder.add(whitespace.takeFolded());
    builder.add(cursor.take());
  }
}

function takePlainWhitespace(cursor: Cursor, indent: number, start: number, whitespace: FoldedWhitespace): void {
  while (cursor.isBlank() || cursor.isBreak()) {
    if (whitespace.broken && cursor.column <= indent && cursor.peek() === '\t')
      throw scanError('found a tab character that violates indentation', cursor.line, start);
    whitespace.take(cursor);
  }
}

/** Takes words up to `end`, and those of following lines as long as each break folds to a space. */
function takeLines(cursor: Cursor, end: number, indent: number, flow: boolean, builder: TextBuilder): void {
  builder.add(cursor.takeTo(end));
  while (foldsLine(cursor, indent, flow)) {
    builder.add(' ');
    builder.add(cursor.takeTo(plainEnd(cursor, flow)));
  }
}

/** End of the ASCII words on this line with single spaces between them. */
function plainEnd({ text, at }: Cursor, flow: boolean): number {
  const plain = flow ? plainInFlow : plainInBlock;
  for (let end = at; ; end++) {
    const code = text.charCodeAt(end);
    if (plain[code] === 1) continue;
    const next = text.charCodeAt(end + 1);
    if (code === 0x3a && next > 0x20 && next < 0x7f) continue;
    if (code === 0x20 && end > at && next !== 0x23 && plain[next] === 1) continue;
    return end;
  }
}

/** Takes a break that folds to a space: the next line has a word, is indented enough, and no other line is between. */
function foldsLine(cursor: Cursor, indent: number, flow: boolean): boolean {
  const { text } = cursor;
  if (text.charCodeAt(cursor.at) !== 0x0a) return false;
  let at = cursor.at + 1;
  while (text.charCodeAt(at) === 0x20) at++;
  const column = at - cursor.at - 1;
  const code = text.charCodeAt(at);
  if (column === 0 || (!flow && column <= indent) || code === 0x23 || (flow ? plainInFlow : plainInBlock)[code] !== 1) return false;
  cursor.takeBreak();
  cursor.skip(column);
  return true;
}

/** Scans a block scalar after `|` or `>`. `parent`: the indentation of the surrounding block. @throws YamlSyntaxError */
export function scanBlockScalar(cursor: Cursor, parent: number): string {
  const start = cursor.line;
  const literal = cursor.take() === '|';
  const { chomping, indentation } = scanBlockHeader(cursor, start);
  const explicitIndent = indentation === 0 ? 0 : Math.max(parent, 0) + indentation;
  const { indent, breaks: before } = scanBlankLines(cursor, explicitIndent, parent, start);
  const builder = new TextBuilder();
  let lineBreak = '';
  let blankLines = before;
  let wasBlank = false;
  while (cursor.column === indent && !cursor.ended) {
    const isBlank = cursor.isBlank();
    const folds = !literal && !wasBlank && !isBlank && lineBreak === '\n';
    builder.add(folds ? (blankLines === '' ? ' ' : '') : lineBreak);
    builder.add(blankLines);
    wasBlank = isBlank;
    builder.add(cursor.takeRun(lineOfAscii));
    while (!cursor.endsLine()) builder.add(cursor.take());
    lineBreak = cursor.ended ? '' : cursor.takeBreak();
    blankLines = scanBlankLines(cursor, indent, parent, start).breaks;
  }
  if (chomping !== '-') builder.add(lineBreak);
  if (chomping === '+') builder.add(blankLines);
  return builder.finish();
}

interface BlockHeader {
  /** What happens to the final line breaks: `-` removes them, `+` retains all, empty retains one. */
  readonly chomping: string;
  /** The indentation indicator; 0: the first line decides. */
  readonly indentation: number;
}

/** Scans the rest of a block scalar's first line. */
function scanBlockHeader(cursor: Cursor, start: number): BlockHeader {
  const header = /^(?:([+-])(\d?)|(\d)([+-]?))?/.exec(cursor.text.slice(cursor.at, cursor.at + 2));
  const digit = header?.[2] || header?.[3] || '';
  if (digit === '0') {
    cursor.skip(header?.[1] ? 1 : 0);
    throw scanError('found an indentation indicator equal to 0', cursor.line, start);
  }
  cursor.skip(header?.[0].length ?? 0);
  while (cursor.isBlank()) cursor.skip();
  if (cursor.peek() === '#') while (!cursor.endsLine()) cursor.take();
  if (!cursor.endsLine()) throw scanError('did not find expected comment or line break', cursor.line, start);
  if (cursor.isBreak()) cursor.takeBreak();
  return { chomping: header?.[1] ?? header?.[4] ?? '', indentation: Number(digit) };
}

/** Scans blank lines, and detects the indentation at the first other line unless it is explicit. */
function scanBlankLines(
  cursor: Cursor,
  explicitIndent: number,
  parent: number,
  start: number,
): { readonly indent: number; readonly breaks: string } {
  let breaks = '';
  let deepest = 0;
  for (;;) {
    while ((explicitIndent === 0 || cursor.column < explicitIndent) && cursor.peek() === ' ') cursor.skip();
    deepest = Math.max(deepest, cursor.column);
    if ((explicitIndent === 0 || cursor.column < explicitIndent) && cursor.peek() === '\t')
      throw scanError('found a tab character where an indentation space is expected', cursor.line, start);
    if (!cursor.isBreak()) break;
    breaks += cursor.takeBreak();
  }
  return { indent: explicitIndent === 0 ? Math.max(deepest, parent + 1, 1) : explicitIndent, breaks };
}
