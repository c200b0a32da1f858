/** Translates `*`, `?` and `[a-z]` to an anchored RegExp. */
export function globToRegExp(pattern: string): RegExp {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    const close = char === '[' ? pattern.indexOf(']', at + 2) : -1;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '\\') source += (pattern[++at] ?? '').replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
    else if (close > 0) {
      source += `[${pattern
        .slice(at + 1, close)
        .replace(/^!/, '^')
        .replace(/\\/g, '\\\\')}]`;
      at = close;
    } else source += char.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, 's');
}
