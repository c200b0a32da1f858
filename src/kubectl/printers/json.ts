import { sortMembers, stringifyJson } from '../../meta/index.ts';

/** Compact JSON in Go's escaping (`<` is \u003c), with sorted members. */
export function compactJson(value: unknown): string {
  return stringifyJson(sortMembers(value));
}

/** Indented JSON, as `kubectl -o json` prints it. */
export function indentedJson(value: unknown, indent = '    '): string {
  return indentJson(stringifyJson(value), indent);
}

/** Indents compact JSON. */
function indentJson(text: string, indent: string): string {
  let out = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end + 1);
      at = end;
    } else if (char === '{' || char === '[') {
      const close = text[at + 1];
      if (close === '}' || close === ']') {
        out += char + close;
        at++;
      } else out += `${char}\n${indent.repeat(++depth)}`;
    } else if (char === '}' || char === ']') out += `\n${indent.repeat(--depth)}${char}`;
    else if (char === ',') out += `,\n${indent.repeat(depth)}`;
    else out += char === ':' ? ': ' : char;
  }
  return out;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
