import type { SystemError } from '../files/file-error.ts';

/** A directive of a configuration file; one with a block has further ones. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly block: readonly Directive[] | undefined;
  /** `in FILE:LINE` of messages. */
  readonly place: string;
}

/** An error in a configuration, which ends the server. The message is that of nginx, without its level. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const errnos: Readonly<Record<string, number>> = { EACCES: 13, ENOTDIR: 20, EROFS: 30 };

/** A failed call on a file, as messages show it. */
export const failedCall = (call: string, path: string, { code, message }: SystemError): string =>
  `${call}() "${path}" failed (${errnos[code] ?? 2}: ${message})`;

interface Word {
  readonly text: string;
  readonly isSymbol: boolean;
  readonly line: number;
}

/** Reads a configuration file. @throws ConfigError */
export function parseConfig(text: string, file: string): readonly Directive[] {
  return new ConfigParser(text, file).parse();
}

function wordsOf(text: string, file: string): readonly Word[] {
  const words: Word[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    if (end === undefined) throw new ConfigError(`unexpected end of file, expecting ";" or "}" in ${file}:${text.split('\n').length}`);
    const token = text.slice(at, end);
    if (!/^[\s#]/.test(token)) words.push({ text: withoutQuotes(token), isSymbol: /^[{};]$/.test(token), line });
    line += token.split('\n').length - 1;
    at = end;
  }
  return [...words, { text: '', isSymbol: true, line }];
}

/** The end of a space, comment, symbol or word; undefined if a quote is not closed. */
function endOfToken(text: string, start: number): number | undefined {
  const char = text[start] ?? '';
  if (/[\s{};]/.test(char)) return start + 1;
  if (char === '"' || char === "'") return endOfQuoted(text, start);
  return char === '#' ? endOfLine(text, start) : endOfWord(text, start);
}

function endOfQuoted(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) return at + 1;
  }
  return undefined;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** `${name}` is part of a word. */
function endOfWord(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s;]/.test(text[end] ?? '') && (!/[{}]/.test(text[end] ?? '') || isVariable(text, start, end))) end++;
  return end;
}

const withoutQuotes = (token: string): string => (/^["']/.test(token) ? token.slice(1, -1).replace(/\\(["'\\])/g, '$1') : token);

/** Whether a brace belongs to a variable or to the repetition of a pattern. */
function isVariable(text: string, start: number, at: number): boolean {
  const word = text.slice(start, at);
  return text[at] === '{'
    ? word.endsWith('$') || (/[\])\w]$/.test(word.slice(-1)) && /^\d/.test(text.slice(at + 1, at + 2)))
    : word.lastIndexOf('{') > word.lastIndexOf('}');
}

class ConfigParser {
  readonly #words: readonly Word[];
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#file = file;
    this.#words = wordsOf(text, file);
  }

  parse(): readonly Directive[] {
    return this.#directives(false);
  }

  #next(): Word {
    return this.#words[this.#at++] as Word;
  }

  #error(message: string, { line }: Word): ConfigError {
    return new ConfigError(`${message} in ${this.#file}:${line}`);
  }

  #directives(isBlock: boolean): readonly Directive[] {
    const directives: Directive[] = [];
    for (;;) {
      const word = this.#next();
      if (word.isSymbol && word.text === '') {
        if (isBlock) throw this.#error('unexpected end of file, expecting "}"', word);
        return directives;
      }
      if (word.isSymbol && word.text === '}') {
        if (!isBlock) throw this.#error('unexpected "}"', word);
        return directives;
      }
      if (word.isSymbol) throw this.#error(`unexpected "${word.text}"`, word);
      directives.push(this.#directive(word));
    }
  }

  #directive(name: Word): Directive {
    const args: string[] = [];
    for (;;) {
      const word = this.#next();
      const place = `in ${this.#file}:${name.line}`;
      if (!word.isSymbol) args.push(word.text);
      else if (word.text === ';') return { name: name.text, args, block: undefined, place };
      else if (word.text === '{') return { name: name.text, args, block: this.#directives(true), place };
      else if (word.text === '') throw this.#error('unexpected end of file, expecting ";" or "}"', word);
      else throw this.#error(`directive "${name.text}" is not terminated by ";"`, word);
    }
  }
}
