import type { Part, Script, Word } from './ast.ts';
import { ShellSyntaxError } from './errors.ts';

const blank = /[ \t]/;
const operatorStart = /[|&;<>()\n]/;
const nameStart = /[A-Za-z_]/;
const nameChar = /\w/;

/** Reads words out of the text; the grammar above it is in `parser.ts`. */
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

  /** Blanks, line continuations and a comment up to (not including) the line's end. */
  skipBlanks(): void {
    for (;;) {
      if (blank.test(this.peek())) this.at++;
      else if (this.startsWith('\\\n')) this.at += 2;
      else break;
    }
    if (this.peek() === '#') while (!this.ended && this.peek() !== '\n') this.at++;
  }

  /** The word that starts here; empty when none does. */
  readWord(): Word {
    const parts: Part[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ type: 'text', text, quoted: false });
      text = '';
    };
    while (!this.ended) {
      const char = this.peek();
      if (blank.test(char) || operatorStart.test(char)) break;
      if (this.startsWith('\\\n')) {
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

  /** A here-document's body as a word in double quotes, without their end. */
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
      const inner = this.#readBalanced(3, '(', ')');
      if (inner.endsWith(')')) return [{ type: 'arithmetic', expression: this.#nested(inner.slice(0, -1)), quoted }];
      return [{ type: 'command', script: this.#parseScript(`(${inner})`), quoted }];
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

  #nested(text: string): Word {
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
    const match = /^(#?)(\w+|[?@*#$!-])(:?[-+=?]|##?|%%?|\/\/?|)([\s\S]*)$/.exec(inner);
    if (!match) throw new ShellSyntaxError(`\${${inner}}: bad substitution`);
    const [, length = '', name = '', operator = '', word = ''] = match;
    const nested = operator === '' ? [] : this.#nested(word);
    return { type: 'parameter', name, operator: length === '#' ? 'length' : operator, word: nested, quoted };
  }

  /** The text up to the bracket that closes the one before; quotes inside are respected. */
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
    if (depth > 0 && open === '(' && skip === 3) return this.#readBalanced(2, open, close);
    if (depth > 0) throw new ShellSyntaxError(`unexpected EOF while looking for matching \`${close}'`);
    let end = at;
    if (skip === 3 && this.text[at + 1] === ')') end = at + 1;
    this.at = end + 1;
    return this.text.slice(from, end);
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
