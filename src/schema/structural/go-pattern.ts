const posixClasses: Readonly<Record<string, string>> = {
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

/**
 * A pattern in Go's language (RE2) as the platform's expression, for what the two write differently: leading flags, named groups,
 * POSIX classes, ends of text. Undefined for what cannot be one.
 */
export function goPattern(pattern: string): RegExp | undefined {
  const { flags, rest } = leadingFlags(pattern);
  const body = rest
    .replace(/\(\?P</g, '(?<')
    .replace(/\[:(\^?)(\w+):\]/g, (all, not: string, name: string) => (not === '' ? (posixClasses[name] ?? all) : all))
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$')
    .replace(/\\p([A-Z])/g, '\\p{$1}')
    .replace(/\\P([A-Z])/g, '\\P{$1}');
  return compiled(body, `${flags}u`) ?? compiled(body, flags);
}

/** `(?i)`, `(?s)`, `(?m)` at the beginning; `U` has no counterpart and changes no match as a whole. */
function leadingFlags(pattern: string): { readonly flags: string; readonly rest: string } {
  const found = /^\(\?([imsU]+)\)/.exec(pattern);
  return found ? { flags: (found[1] ?? '').replace('U', ''), rest: pattern.slice(found[0].length) } : { flags: '', rest: pattern };
}

function compiled(body: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(body, flags);
  } catch {
    // The one way to learn whether a text is an expression.
    return undefined;
  }
}
