/** Regular expressions in RE2's syntax, as near as the platform's own come. */

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
  const { source, flags } = translate(pattern);
  try {
    return new RegExp(source, `u${flags}`);
  } catch (error) {
    if (error instanceof SyntaxError) throw refusal(pattern, error);
    throw error;
  }
}

/** What RE2 writes otherwise than the platform. */
function translate(pattern: string): { readonly source: string; readonly flags: string } {
  const leading = /^\(\?([imsU]+)\)/.exec(pattern);
  const given = leading?.[1] ?? '';
  const rest = pattern.slice(leading?.[0].length ?? 0);
  let inClass = false;
  const source = rest.replace(piece, (part: string) => {
    if (inClass) {
      if (part === ']') inClass = false;
      return classPart(part);
    }
    if (part.startsWith('[') && !part.startsWith('[[:')) {
      inClass = true;
      // A closing bracket right behind the opening one is a character.
      return part.endsWith(']') ? `${part.slice(0, -1)}\\]` : part;
    }
    return outsidePart(part);
  });
  if (inClass) throw new PatternError('missing closing ]', rest.slice(rest.lastIndexOf('[')));
  return { source, flags: [...new Set(given)].filter((flag) => 'ims'.includes(flag)).join('') };
}

const piece =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{\^?\w+\}|\w)|\\x\{[0-9a-fA-F]+\}|\\.|\[:\^?\w+:\]|\[\^?\]?|\(\?P?<\w+>|\(\?P=\w+\)|\(\?<?[!=]|\(\?[a-zA-Z-]*|\{\d+(?:,\d*)?\}|./gsu;

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
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

function classPart(part: string): string {
  const named = /^\[:(\^?)(\w+):\]$/.exec(part);
  if (named) {
    const set = posix[named[2] ?? ''];
    if (set === undefined || named[1] === '^') throw new PatternError('invalid character class range', part);
    return set;
  }
  if (part === '[') return '\\[';
  return part.length === 1 && /[&\-!#$%*+,.:;<=>?@^`~(){}|/]/.test(part) && /[(){}|/]/.test(part) ? `\\${part}` : escaped(part);
}

function outsidePart(part: string): string {
  if (part.startsWith('(?P<')) return `(?<${part.slice(4)}`;
  if (/^\(\?(?:<?[!=]|P=)/.test(part)) throw new PatternError('invalid or unsupported Perl syntax', part.slice(0, 3));
  const count = /^\{(\d+)(?:,(\d*))?\}$/.exec(part);
  if (count) {
    const [, low = '', high] = count;
    if (Number(low) > maxRepeat || Number(high ?? 0) > maxRepeat) throw new PatternError('invalid repeat count', part);
    return part;
  }
  return part === '{' || part === '}' || part === ']' ? `\\${part}` : escaped(part);
}

/** What a backslash makes of a character. */
function escaped(part: string): string {
  if (!part.startsWith('\\')) return part;
  if (part.startsWith('\\Q'))
    return part
      .slice(2)
      .replace(/\\E$/, '')
      .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const unicode = /^\\([pP])\{?(\^?)(\w+)\}?$/.exec(part);
  if (unicode) return `\\${unicode[2] ? flipped[unicode[1] ?? ''] : unicode[1]}{${unicodeName(unicode[3] ?? '')}}`;
  const code = /^\\x\{(.*)\}$/.exec(part);
  if (code) return `\\u{${code[1]}}`;
  const plain = escapes[part.slice(1)];
  if (plain !== undefined) return plain;
  if (/^\\[1-9]$/.test(part) || /^\\[a-zA-Z]$/.test(part)) {
    if (!/^\\[dDsSwWbBnrtfvx]$/.test(part)) throw new PatternError('invalid escape sequence', part);
    return part;
  }
  return /^\\[\^$\\.*+?()[\]{}|/-]$/.test(part) ? (part === '\\-' ? '\\x2d' : part) : part.slice(1);
}

const flipped: Readonly<Record<string, string>> = { p: 'P', P: 'p' };
/** `\A` and `\z` are the text's ends whatever the flags; `\s` knows no vertical tab. */
const escapes: Readonly<Record<string, string>> = {
  A: '(?<![^])',
  z: '(?![^])',
  a: '\\x07',
  s: '[\\t\\n\\f\\r ]',
  S: '[^\\t\\n\\f\\r ]',
  '0': '\\0',
};

function unicodeName(name: string): string {
  return /^[A-Z][a-z]?$/.test(name) ? name : `Script=${name}`;
}

/** Says what is wrong as Go would, for the mistakes people make. */
function refusal(pattern: string, error: SyntaxError): PatternError {
  const { message } = error;
  if (/Unterminated group/i.test(message)) return new PatternError('missing closing )', pattern);
  if (/Unmatched '\)'/i.test(message)) return new PatternError('unexpected )', pattern);
  if (/Nothing to repeat/i.test(message))
    return new PatternError('missing argument to repetition operator', /[*+?]/.exec(pattern)?.[0] ?? pattern);
  if (/out of order/i.test(message)) return new PatternError('invalid character class range', /\w-\w/.exec(pattern)?.[0] ?? pattern);
  return new PatternError('invalid or unsupported Perl syntax', pattern);
}
