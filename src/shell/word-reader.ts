import type { Assignment, ElementList, Part, Script, Word } from './ast.ts';
import { ShellSyntaxError } from './errors.ts';

const blank = /[ \t]/;
const wordEnd = /[ \t|&;<>()\n]/;
/** In the operand of `=~`, parentheses and bars are part of the word. */
export const regularExpressionEnd: RegExp = /[ \t\n]/;
const noEnd = /(?!)/;
const nameStart = /[A-Za-z_]/;
const nameChar = /\w/;

/** Reads words from the text; `parser.ts` has the grammar. */
export class WordReader {
  readonly text: string;
  at = 0;
  readonly #parseScript: (text: string) => Script;

  constructor(text: string, parseScript: (text: string) => Script) {
    this.text = text;
    this.#parseScript = parseScript;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  peek(offset = 0): string {
    return this.text[this.at + offset] ?? '';
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** Skips blanks, line continuations and a comment up to (not including) the end of the line. */
  skipBlanks(): void {
    for (;;) {
      if (blank.test(this.peek())) this.at++;
      else if (this.startsWith('\\\n')) this.at += 2;
      else break;
    }
    if (this.peek() === '#') while (!this.ended && this.peek() !== '\n') this.at++;
  }

  /** Reads the word that starts here, up to a blank or another end; empty when no word starts here. */
  readWord(end: RegExp = wordEnd): Word {
    const parts: Part[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ type: 'text', text, quoted: false });
      text = '';
    };
    while (!this.ended) {
      const char = this.peek();
      if (end === wordEnd && this.startsWith('<(')) {
        flush();
        parts.push({ type: 'process', script: this.#parseScript(this.#readBalanced(2, '(', ')')), quoted: false });
      } else if (end.test(char)) {
        break;
      } else if (this.startsWith('\\\n')) {
        this.at += 2;
      } else if (char === '\\') {
        flush();
        parts.push({ type: 'text', text: this.peek(1), quoted: true });
        this.at += 2;
      } else if (char === "'" || (char === '$' && this.peek(1) === "'")) {
        flush();
        parts.push(this.#readSingleQuoted());
      } else if (char === '"') {
        flush();
        this.at++;
        parts.push(...this.#readDoubleQuoted('"'));
        this.at++;
      } else if (char === '$' || char === '`') {
        flush();
        parts.push(...this.#readExpansion(false));
      } else {
        text += char;
        this.at++;
      }
    }
    flush();
    return parts;
  }

  /** Reads `name=value`; undefined when no assignment starts here. */
  readAssignment(): Assignment | undefined {
    const [name = ''] = matchAt(/[A-Za-z_]\w*/y, this.text, this.at);
    const [index, after] = readIndex(this.text, this.at + name.length);
    const [sign] = matchAt(/\+?=/y, this.text, after);
    if (name === '' || sign === undefined) return undefined;
    this.at = after + sign.length;
    const value = this.peek() === '(' ? this.#readElements() : this.readWord();
    return { name, index: index === undefined ? undefined : this.#nested(index), append: sign === '+=', value };
  }

  #readElements(): ElementList {
    const elements: { index: Word | undefined; value: Word }[] = [];
    for (this.at++; this.peek() !== ')'; ) {
      this.skipBlanks();
      if (this.ended) throw new ShellSyntaxError("unexpected EOF while looking for matching `)'");
      const [index, after] = readIndex(this.text, this.at);
      const keyed = index !== undefined && this.text[after] === '=';
      if (keyed) this.at = after + 1;
      const value = this.readWord();
      if (keyed || value.length > 0) elements.push({ index: keyed ? this.#nested(index) : undefined, value });
      else if (this.peek() === '\n') this.at++;
      else if (this.peek() !== ')') throw new ShellSyntaxError(`syntax error near unexpected token \`${this.peek()}'`);
    }
    this.at++;
    return { elements };
  }

  /** Reads `((…))`; undefined when it is a subshell in a subshell. */
  readArithmetic(skip: number): Word | undefined {
    const from = this.at;
    const inner = this.#readBalanced(skip, '(', ')');
    const closed = this.peek() === ')';
    this.at = closed ? this.at + 1 : from;
    return closed ? this.#quoted(inner) : undefined;
  }

  /** Reads a here-document's body like a double-quoted word without closing quote. */
  readQuotedToEnd(): Word {
    return this.#readDoubleQuoted('');
  }

  #readSingleQuoted(): Part {
    const ansi = this.peek() === '$';
    let from = this.at + (ansi ? 2 : 1);
    let end = this.text.indexOf("'", from);
    if (ansi) while (end > 0 && this.text[end - 1] === '\\' && this.text[end - 2] !== '\\') end = this.text.indexOf("'", end + 1);
    if (end < 0) throw new ShellSyntaxError("unexpected EOF while looking for matching `''");
    const raw = this.text.slice(from, end);
    from = end + 1;
    this.at = from;
    return { type: 'text', text: ansi ? unescapeAnsi(raw) : raw, quoted: true };
  }

  #readDoubleQuoted(end: string): Part[] {
    const parts: Part[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ type: 'text', text, quoted: true });
      text = '';
    };
    for (;;) {
      const char = this.peek();
      if (this.ended || char === end) break;
      if (char === '\\' && '$`"\\\n'.includes(this.peek(1)) && this.peek(1) !== '' && !(end === '' && this.peek(1) === '"')) {
        if (this.peek(1) !== '\n') text += this.peek(1);
        this.at += 2;
      } else if (char === '$' || char === '`') {
        flush();
        parts.push(...this.#readExpansion(true));
      } else {
        text += char;
        this.at++;
      }
    }
    if (end !== '' && this.ended) throw new ShellSyntaxError(`unexpected EOF while looking for matching \`${end}'`);
    flush();
    return parts.length > 0 ? parts : [{ type: 'text', text: '', quoted: true }];
  }

  #readExpansion(quoted: boolean): Part[] {
    if (this.peek() === '`') return [this.#readBackticks(quoted)];
    if (this.startsWith('$((')) {
      const expression = this.readArithmetic(3);
      if (expression) return [{ type: 'arithmetic', expression, quoted }];
    }
    if (this.startsWith('$(')) return [{ type: 'command', script: this.#parseScript(this.#readBalanced(2, '(', ')')), quoted }];
    if (this.startsWith('${')) return [this.#readBraced(quoted)];
    const next = this.peek(1);
    if (nameStart.test(next)) {
      let end = this.at + 2;
      while (nameChar.test(this.text[end] ?? '')) end++;
      const name = this.text.slice(this.at + 1, end);
      this.at = end;
      return [{ type: 'parameter', name, operator: '', word: [], quoted }];
    }
    if (/[0-9?#$!@*-]/.test(next) && next !== '') {
      this.at += 2;
      return [{ type: 'parameter', name: next, operator: '', word: [], quoted }];
    }
    this.at++;
    return [{ type: 'text', text: '$', quoted }];
  }

  /** Reads a nested word, which blanks do not end. */
  #nested(text: string): Word {
    return new WordReader(text, this.#parseScript).readWord(noEnd);
  }

  #quoted(text: string): Word {
    return new WordReader(text, this.#parseScript).readQuotedToEnd();
  }

  #readBackticks(quoted: boolean): Part {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '`') end += this.text[end] === '\\' ? 2 : 1;
    const inner = this.text.slice(this.at + 1, end).replace(/\\([`\\$])/g, '$1');
    this.at = end + 1;
    return { type: 'command', script: this.#parseScript(inner), quoted };
  }

  #readBraced(quoted: boolean): Part {
    const inner = this.#readBalanced(2, '{', '}');
    const [start = '', prefix = '', name = ''] = /^([#!]?)(\w+|[?@*#$!-])/.exec(inner) ?? [];
    const [index, after] = readIndex(inner, start.length);
    const [whole, operator = ''] = /^(:?[-+=?]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|)/.exec(inner.slice(after)) ?? [];
    const word = inner.slice(after + (whole?.length ?? 0));
    if (name === '' || (operator === '' && word !== '')) throw new ShellSyntaxError(`\${${inner}}: bad substitution`);
    const meant = prefix === '' ? operator : prefix === '#' ? 'length' : 'name';
    const part: Part = { type: 'parameter', name, operator: meant, word: this.#nested(word), quoted };
    return index === undefined ? part : { ...part, index: this.#nested(index) };
  }

  /** Reads up to the matching closing bracket; skips quoted text. */
  #readBalanced(skip: number, open: string, close: string): string {
    const from = this.at + skip;
    let depth = 1;
    let at = from;
    for (; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '\\') at++;
      else if (char === "'" || char === '"') at = this.#skipQuoted(at);
      else if (char === open) depth++;
      else if (char === close && --depth === 0) break;
    }
    if (depth > 0) throw new ShellSyntaxError(`unexpected EOF while looking for matching \`${close}'`);
    this.at = at + 1;
    return this.text.slice(from, at);
  }

  #skipQuoted(from: number): number {
    const quote = this.text[from];
    for (let at = from + 1; at < this.text.length; at++) {
      if (this.text[at] === '\\' && quote === '"') at++;
      else if (this.text[at] === quote) return at;
    }
    return this.text.length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | [] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

/** The text between brackets that open here, if any, and the offset after them. */
function readIndex(text: string, from: number): readonly [index: string | undefined, after: number] {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']' && --depth === 0) return [text.slice(from + 1, at), at + 1];
    if (depth === 0) break;
  }
  return [undefined, from];
}

/** The literal text of a word, without quotes and expansions. */
export function literalText(word: Word): string {
  return word.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
  '\\': '\\',
};

/** `\n`, `\t`, `\x41`, `\101`, as in $'…', printf and echo -e. */
export function unescapeAnsi(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{4}|["']|.)/g, (whole, code: string) => {
    if (code.length > 1 && (code[0] === 'x' || code[0] === 'u')) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (code === '"' || code === "'") return code;
    return escapes[code] ?? whole;
  });
}
