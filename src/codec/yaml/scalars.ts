import { type Cursor, scanError } from './cursor.ts';

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

/** Blanks and breaks between words: several lines fold into one, blank lines stay. */
class Gap {
  #blanks = '';
  #first = '';
  #rest = '';

  get broken(): boolean {
    return this.#first !== '';
  }

  get empty(): boolean {
    return this.#blanks === '' && this.#first === '';
  }

  /** Takes what stands at the cursor, a blank or a break. */
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

  folded(): string {
    if (!this.broken) return this.#blanks + this.#rest;
    if (this.#first !== '\n') return this.#first + this.#rest;
    return this.#rest === '' ? ' ' : this.#rest;
  }
}

/** In quotation marks of either kind, the cursor at the opening one. @throws YamlSyntaxError */
export function scanQuoted(cursor: Cursor): string {
  const quote = cursor.take();
  const start = cursor.line;
  let text = '';
  for (;;) {
    if (cursor.atMarker('---') || cursor.atMarker('...')) throw scanError('found unexpected document indicator', cursor.line, start);
    if (cursor.ended) throw scanError('found unexpected end of stream', cursor.line, start);
    const gap = new Gap();
    while (!cursor.endsWord() && (cursor.peek() !== quote || (quote === "'" && cursor.peek(1) === "'"))) {
      if (quote === "'" && cursor.peek() === "'") {
        cursor.skip(2);
        text += "'";
      } else if (quote === '"' && cursor.peek() === '\\' && cursor.isBreak(1)) {
        cursor.skip();
        gap.join(cursor);
        break;
      } else text += quote === '"' && cursor.peek() === '\\' ? scanEscape(cursor, start) : cursor.take();
    }
    if (cursor.peek() === quote && gap.empty) {
      cursor.skip();
      return text + gap.folded();
    }
    while (cursor.isBlank() || cursor.isBreak()) gap.take(cursor);
    text += gap.folded();
  }
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

export interface Plain {
  readonly text: string;
  /** Ended by a break, so that a key may follow. */
  readonly brokenOff: boolean;
}

/** Without quotation marks. `indent`: of the block around it; `flow`: inside of brackets. @throws YamlSyntaxError */
export function scanPlain(cursor: Cursor, indent: number, flow: boolean): Plain {
  const start = cursor.line;
  let text = '';
  let gap = new Gap();
  for (;;) {
    if (cursor.atMarker('---') || cursor.atMarker('...') || cursor.peek() === '#') break;
    while (!cursor.endsWord()) {
      if (cursor.peek() === ':' && cursor.endsWord(1)) break;
      if (flow && flowIndicators.includes(cursor.peek())) break;
      if (!gap.empty) {
        text += gap.folded();
        gap = new Gap();
      }
      text += cursor.take();
    }
    if (!cursor.isBlank() && !cursor.isBreak()) break;
    while (cursor.isBlank() || cursor.isBreak()) {
      if (gap.broken && cursor.column <= indent && cursor.peek() === '\t')
        throw scanError('found a tab character that violates indentation', cursor.line, start);
      gap.take(cursor);
    }
    if (!flow && cursor.column <= indent) break;
  }
  return { text, brokenOff: gap.broken };
}

/** After `|` or `>`. `parent`: the indent of the block around it. @throws YamlSyntaxError */
export function scanBlockScalar(cursor: Cursor, parent: number): string {
  const start = cursor.line;
  const literal = cursor.take() === '|';
  const header = /^(?:([+-])(\d?)|(\d)([+-]?))?/.exec(cursor.text.slice(cursor.at, cursor.at + 2));
  const chomping = header?.[1] ?? header?.[4] ?? '';
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
  const asked = digit === '' ? 0 : Math.max(parent, 0) + Number(digit);
  const { indent, breaks: before } = scanBlankLines(cursor, asked, parent, start);
  let text = '';
  let lineBreak = '';
  let blankLines = before;
  let wasBlank = false;
  while (cursor.column === indent && !cursor.ended) {
    const isBlank = cursor.isBlank();
    const folds = !literal && !wasBlank && !isBlank && lineBreak === '\n';
    text += folds ? (blankLines === '' ? ' ' : '') : lineBreak;
    text += blankLines;
    wasBlank = isBlank;
    while (!cursor.endsLine()) text += cursor.take();
    lineBreak = cursor.ended ? '' : cursor.takeBreak();
    blankLines = scanBlankLines(cursor, indent, parent, start).breaks;
  }
  return text + (chomping === '-' ? '' : lineBreak) + (chomping === '+' ? blankLines : '');
}

/** Lines without content, and where the content of the first other one begins when nobody has said it. */
function scanBlankLines(
  cursor: Cursor,
  asked: number,
  parent: number,
  start: number,
): { readonly indent: number; readonly breaks: string } {
  let breaks = '';
  let deepest = 0;
  for (;;) {
    while ((asked === 0 || cursor.column < asked) && cursor.peek() === ' ') cursor.skip();
    deepest = Math.max(deepest, cursor.column);
    if ((asked === 0 || cursor.column < asked) && cursor.peek() === '\t')
      throw scanError('found a tab character where an indentation space is expected', cursor.line, start);
    if (!cursor.isBreak()) break;
    breaks += cursor.takeBreak();
  }
  return { indent: asked === 0 ? Math.max(deepest, parent + 1, 1) : asked, breaks };
}
