type SyntaxKind = 'basic' | 'extended';

/** Special where they are not escaped in extended expressions, and where they are escaped in basic ones. */
const basicSpecials = '(){}|+?';

/** Translates a POSIX regular expression to JavaScript. */
export function regExpSource(pattern: string, kind: SyntaxKind | 'fixed'): string {
  if (kind === 'fixed') return escapeSpecials(pattern);
  let source = '';
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at] ?? '';
    if (char === '[') {
      const end = bracketEnd(pattern, at);
      source += bracketSource(pattern.slice(at + 1, end));
      at = end + 1;
    } else if (char === '\\') {
      source += escapeSource(pattern[at + 1] ?? '', kind);
      at += 2;
    } else {
      source += charSource(char, { before: source, from: pattern.slice(at) }, kind);
      at++;
    }
  }
  return source;
}

function escapeSpecials(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
}

/** The position of the bracket that closes the expression at `start`. */
function bracketEnd(pattern: string, start: number): number {
  let end = start + 1;
  if (pattern[end] === '^') end++;
  if (pattern[end] === ']') end++;
  while (end < pattern.length && pattern[end] !== ']')
    end += pattern.startsWith('[:', end) ? Math.max(pattern.indexOf(':]', end) + 2 - end, 1) : 1;
  return end;
}

/** The source for a backslash and its next character. */
function escapeSource(next: string, kind: SyntaxKind): string {
  if (kind === 'basic' && basicSpecials.includes(next)) return next;
  if (next === '<' || next === '>') return '\\b';
  return /[a-zA-Z0-9]/.test(next) ? `\\${next}` : escapeSpecials(next);
}

interface CharContext {
  /** The source before the character. */
  readonly before: string;
  /** The pattern from the character on. */
  readonly from: string;
}

function charSource(char: string, { before, from }: CharContext, kind: SyntaxKind): string {
  if (kind === 'basic' && basicSpecials.includes(char)) return `\\${char}`;
  return isLiteral(char, before, from) || char === '/' || char === ']' ? `\\${char}` : char;
}

/** Whether a repetition operator has nothing to repeat, or a brace belongs to no count. */
function isLiteral(char: string, before: string, from: string): boolean {
  if (char === '*') return before === '' || before.endsWith('^');
  if (char === '{') return !/^\{\d*(?:,\d*)?\}/.test(from);
  return char === '}' && !/\{\d*(?:,\d*)?$/.test(before);
}

const classes: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9a-fA-F',
};

function bracketSource(inner: string): string {
  const negated = inner.startsWith('^');
  const body = (negated ? inner.slice(1) : inner).replace(/\\/g, '\\\\').replace(/\[:(\w+):\]/g, (_, name: string) => `<:${name}:>`);
  const escaped = body.replace(/[[\]]/g, '\\$&').replace(/^\^/, '\\^').replace(/--/g, '\\--').replace(/-$/, '\\-').replace(/^-/, '\\-');
  return `[${negated ? '^' : ''}${escaped.replace(/<:(\w+):>/g, (_, name: string) => classes[name] ?? '')}]`;
}
