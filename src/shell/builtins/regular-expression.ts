/** Translates a POSIX regular expression to JavaScript. */
export function regExpSource(pattern: string, kind: 'basic' | 'extended' | 'fixed'): string {
  if (kind === 'fixed') return pattern.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    const next = pattern[at + 1] ?? '';
    if (char === '[') {
      let end = at + 1;
      if (pattern[end] === '^') end++;
      if (pattern[end] === ']') end++;
      while (end < pattern.length && pattern[end] !== ']')
        end += pattern.startsWith('[:', end) ? Math.max(pattern.indexOf(':]', end) + 2 - end, 1) : 1;
      source += bracketSource(pattern.slice(at + 1, end));
      at = end;
    } else if (char === '\\') {
      at++;
      if (kind === 'basic' && '(){}|+?'.includes(next)) source += next;
      else if (/[a-zA-Z0-9]/.test(next)) source += next === '<' || next === '>' ? '\\b' : `\\${next}`;
      else source += next === '<' || next === '>' ? '\\b' : next.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
    } else if (kind === 'basic' && '(){}|+?'.includes(char)) source += `\\${char}`;
    else if (char === '*' && (source === '' || source.endsWith('^'))) source += '\\*';
    else if (char === '{' && !/^\{\d*(?:,\d*)?\}/.test(pattern.slice(at))) source += '\\{';
    else if (char === '}' && !/\{\d*(?:,\d*)?$/.test(source)) source += '\\}';
    else source += char === '/' || char === ']' ? `\\${char}` : char;
  }
  return source;
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
