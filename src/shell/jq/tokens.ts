import { CompileError } from './syntax.ts';

export type Token =
  | { readonly kind: 'number'; readonly value: number }
  /** Text with the tokens of its interpolations. */
  | { readonly kind: 'string'; readonly parts: readonly (string | readonly Token[])[] }
  /** `.name`, also of `."name"`, whose text follows. */
  | { readonly kind: 'field' | 'word' | 'variable' | 'format' | 'symbol'; readonly text: string };

const symbols = /^(?:\?\/\/=?|\/\/=?|[|+\-*/%]=|[=!<>]=|\.\.|[.[\](){}|,:;=<>+\-*/%?])/;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\', '"': '"' };

/** @throws CompileError */
export function tokenize(text: string): readonly Token[] {
  return new Tokenizer(text).read();
}

class Tokenizer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads up to the end, or in a string up to the parenthesis that ends an interpolation. */
  read(isInterpolation = false): readonly Token[] {
    const tokens: Token[] = [];
    for (let depth = 0; ; ) {
      this.#match(/^(?:\s+|#[^\n]*)*/);
      if (this.#at === this.#text.length) break;
      const token = this.#readToken();
      if (token.kind === 'symbol' && token.text === '(') depth++;
      if (token.kind === 'symbol' && token.text === ')' && depth-- === 0 && isInterpolation) return tokens;
      tokens.push(token);
    }
    if (isInterpolation) throw new CompileError('syntax error, unexpected end of file');
    return tokens;
  }

  #readToken(): Token {
    if (this.#match(/^"/) !== undefined) return this.#readString();
    const number = this.#match(/^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/);
    if (number !== undefined) return { kind: 'number', value: Number(number) };
    const field = this.#match(/^\.[A-Za-z_]\w*/);
    if (field !== undefined) return { kind: 'field', text: field.slice(1) };
    const variable = this.#match(/^\$(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/);
    if (variable !== undefined) return { kind: 'variable', text: variable.slice(1) };
    const format = this.#match(/^@\w+/);
    if (format !== undefined) return { kind: 'format', text: format };
    const word = this.#match(/^(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/);
    if (word !== undefined) return { kind: 'word', text: word };
    const symbol = this.#match(symbols);
    if (symbol !== undefined) return { kind: 'symbol', text: symbol };
    throw new CompileError('syntax error, unexpected INVALID_CHARACTER');
  }

  #readString(): Token {
    const parts: (string | readonly Token[])[] = [''];
    const append = (text: string): void => {
      if (typeof parts.at(-1) === 'string') parts.push(`${parts.pop()}${text}`);
      else parts.push(text);
    };
    for (;;) {
      const plain = this.#match(/^[^"\\]+/);
      if (plain !== undefined) append(plain);
      else if (this.#match(/^"/) !== undefined) return { kind: 'string', parts };
      else if (this.#match(/^\\\(/) !== undefined) parts.push(this.read(true));
      else append(this.#readEscape());
    }
  }

  #readEscape(): string {
    const unicode = this.#match(/^\\u[0-9a-fA-F]{4}/);
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode.slice(2), 16));
    const text = escapes[this.#match(/^\\[nrtbf/\\"]/)?.[1] ?? ''];
    if (text === undefined) throw new CompileError('syntax error, unexpected QQSTRING_TEXT');
    return text;
  }

  #match(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#text.slice(this.#at))?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
