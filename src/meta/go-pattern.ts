/** Regular expressions in RE2's syntax, written for the platform's own engine. */

/** A pattern that RE2 refuses; the message is Go's. */
export class PatternError extends Error {
  constructor(what: string, where: string) {
    super(`error parsing regexp: ${what}: \`${where}\``);
    this.name = 'PatternError';
  }
}

/** RE2 allows counts up to a thousand. */
const maxRepeat = 1000;

/** @throws PatternError */
export function compilePattern(pattern: string): RegExp {
  const source = new Translation(pattern).source();
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal(pattern, error);
    throw error;
  }
}

const piece =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{\^?\w+\}|\w)|\\x\{[0-9a-fA-F]+\}|\\x[0-9a-fA-F]{2}|\\[0-7]{1,3}|\\.|\[:\^?\w+:\]|\[\^?\]?|\(\?P?<\w+>|\(\?[^):]*[:)]?|\{\d+(?:,\d*)?\}|[a-z]-[a-z]|[A-Z]-[A-Z]|./gsu;

const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Piece by piece; flags such as `(?i)` hold until their group ends, and are worked into the pattern. */
class Translation {
  readonly #pattern: string;
  readonly #outer: string[] = [];
  #flags = '';
  #inClass = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  source(): string {
    const source = this.#pattern.replace(piece, (part) => (this.#inClass ? this.#classPart(part) : this.#part(part)));
    if (this.#inClass) throw new PatternError('missing closing ]', this.#pattern.slice(this.#pattern.lastIndexOf('[')));
    return source;
  }

  #part(part: string): string {
    if (part.startsWith('[') && !part.startsWith('[:')) {
      this.#inClass = true;
      // A closing bracket right behind the opening one is a character.
      return part.endsWith(']') ? `${part.slice(0, -1)}\\]` : part;
    }
    if (part.startsWith('[:')) return this.#smallClass(part);
    if (part.startsWith('(')) return this.#group(part);
    if (part === ')') this.#flags = this.#outer.pop() ?? '';
    if (part === '.') return this.#flags.includes('s') ? '[^]' : '[^\\n]';
    if (part === '^') return this.#flags.includes('m') ? '(?<![^\\n])' : '^';
    if (part === '$') return this.#flags.includes('m') ? '(?![^\\n])' : '$';
    if (part.startsWith('{') && part.length > 1) return repeat(part);
    if (part === '{' || part === '}' || part === ']') return `\\${part}`;
    if (part[1] === '-' && part.length === 3) return Array.from(part, (char) => this.#part(char)).join('');
    return this.#flags.includes('i') && /^[a-zA-Z]$/.test(part) ? `[${part.toLowerCase()}${part.toUpperCase()}]` : escaped(part);
  }

  /** `[:alpha:]` outside of brackets is a class of these very characters. */
  #smallClass(part: string): string {
    return `[${part.slice(1, -1)}]`;
  }

  #group(part: string): string {
    if (part.startsWith('(?') === false || /^\(\?P?<\w+>$/.test(part)) {
      this.#outer.push(this.#flags);
      return part.replace('(?P<', '(?<');
    }
    const [, on = '', off = '', end = ''] = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])$/.exec(part) ?? [];
    if (end === '' && part.startsWith('(?<'))
      throw new PatternError('invalid named capture', this.#pattern.slice(this.#pattern.indexOf(part)));
    if (end === '') throw new PatternError('invalid or unsupported Perl syntax', part.slice(0, 3));
    if (end === ':') this.#outer.push(this.#flags);
    this.#flags = [...this.#flags, ...on].filter((flag) => !off.includes(flag)).join('');
    return end === ':' ? '(?:' : '';
  }

  #classPart(part: string): string {
    if (part === ']') this.#inClass = false;
    if (part.length > 1 && part.startsWith('{')) return `\\{${part.slice(1, -1)}\\}`;
    if (part.startsWith('(')) return part.replace(/[()|{}/]/g, '\\$&').replace(/\](.*)$/s, (rest) => this.#closed(rest));
    const named = /^\[:(\^?)(\w+):\]$/.exec(part);
    if (named) return posixClass(named[2] ?? '', part, named[1] === '^');
    if (part.startsWith('[')) return part.endsWith(']') ? `\\${part.slice(0, -1)}${this.#closed(']')}` : `\\[${part.slice(1)}`;
    if (/^[(){}|/]$/.test(part)) return `\\${part}`;
    if (part === '\\b' || part === '\\B') throw new PatternError('invalid escape sequence', part);
    if (part === '\\s') return '\\t\\n\\f\\r ';
    if (part === '\\S') return part;
    const insensitive = this.#flags.includes('i') && /^[a-zA-Z](?:-[a-zA-Z])?$/.test(part);
    return insensitive ? `${part.toLowerCase()}${part.toUpperCase()}` : escaped(part);
  }

  #closed(rest: string): string {
    this.#inClass = false;
    return rest;
  }
}

function posixClass(name: string, part: string, negated: boolean): string {
  const set = posix[name];
  if (set === undefined) throw new PatternError('invalid character class range', part);
  if (!negated) return set;
  const member = new RegExp(`[${set}]`, 'u');
  const others = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((char) => !member.test(char));
  return `${others.map(hex).join('')}\\u{80}-\\u{10FFFF}`;
}

function repeat(part: string): string {
  const [, low = '', high] = /^\{(\d+)(?:,(\d*))?\}$/.exec(part) ?? [];
  if (Number(low) > maxRepeat || Number(high ?? 0) > maxRepeat) throw new PatternError('invalid repeat count', part);
  return part;
}

/** What a backslash makes of a character. */
function escaped(part: string): string {
  if (!part.startsWith('\\')) return part;
  if (part.startsWith('\\Q')) {
    return part
      .slice(2)
      .replace(/\\E$/, '')
      .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  const unicode = /^\\([pP])\{?(\^?)(\w+)\}?$/.exec(part);
  if (unicode) return `\\${unicode[2] ? flipped[unicode[1] ?? ''] : unicode[1]}{${unicodeName(unicode[3] ?? '')}}`;
  if (part.startsWith('\\x{')) return `\\u${part.slice(2)}`;
  const plain = escapes[part.slice(1)];
  if (plain !== undefined) return plain;
  if (/^\\0/.test(part) || /^\\[1-7][0-7]{2}$/.test(part)) return `\\u{${Number.parseInt(part.slice(1), 8).toString(16)}}`;
  if (/^\\(?:[a-zA-Z]|\d+)$/.test(part) && !/^\\[dDwWbBnrtfv]$/.test(part)) throw new PatternError('invalid escape sequence', part);
  return /^\\[^a-zA-Z\d^$\\.*+?()[\]{}|/]$/u.test(part) ? hex(part.slice(1)) : part;
}

/** Characters that need no backslash may not have one. */
function hex(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

const flipped: Readonly<Record<string, string>> = { p: 'P', P: 'p' };

/** `\A` and `\z` are the text's ends; `\s` knows only blanks of ASCII, and no vertical tab. */
const escapes: Readonly<Record<string, string>> = {
  A: '(?<![^])',
  z: '(?![^])',
  a: '\\x07',
  s: '[\\t\\n\\f\\r ]',
  S: '[^\\t\\n\\f\\r ]',
};

function unicodeName(name: string): string {
  return /^[A-Z][a-z]?$/.test(name) ? name : `Script=${name}`;
}

/** Says what is wrong as Go would, for the mistakes people make. */
function refusal(pattern: string, { message }: SyntaxError): PatternError {
  if (/Unterminated group/i.test(message)) return new PatternError('missing closing )', pattern);
  if (/Unmatched '\)'/i.test(message)) return new PatternError('unexpected )', pattern);
  const nested = /[*+?]\*|[*+?]\+|\?\?\?/.exec(pattern)?.[0];
  if (/Nothing to repeat/i.test(message) && nested !== undefined) return new PatternError('invalid nested repetition operator', nested);
  if (/Nothing to repeat/i.test(message)) {
    return new PatternError('missing argument to repetition operator', /[*+?]/.exec(pattern)?.[0] ?? pattern);
  }
  if (/out of order/i.test(message)) return new PatternError('invalid character class range', /\w-\w/.exec(pattern)?.[0] ?? pattern);
  const name = /\\p\{\w+\}/i.exec(pattern)?.[0];
  if (/Invalid property name/i.test(message) && name !== undefined) return new PatternError('invalid character class range', name);
  return new PatternError('invalid or unsupported Perl syntax', pattern);
}
