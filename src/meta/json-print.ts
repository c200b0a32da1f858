const htmlCharacters = /[<>&\u2028\u2029]/g;
const asEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON text as Go's encoder writes it: no spaces, and `<`, `>`, `&` escaped. Members in the order in which they stand. */
export function stringifyJson(value: unknown): string {
  return withEscapedHtml(plainText(value));
}

/** JSON text with the characters escaped that pages might take for their own. */
export function withEscapedHtml(text: string): string {
  return hasHtmlCharacters(text) ? text.replace(htmlCharacters, asEscape) : text;
}

/** Five searches for one character take a twentieth of the time that one for any of them takes. */
function hasHtmlCharacters(text: string): boolean {
  return text.includes('<') || text.includes('>') || text.includes('&') || text.includes('\u2028') || text.includes('\u2029');
}

function plainText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify refuses bigint and overflows on hostile depth; both are rare enough to be paid for only when met.
    if (error instanceof TypeError || error instanceof RangeError) return slowText(value);
    throw error;
  }
}

/** Without recursion: `open` holds what is still to be written, last first. */
function slowText(value: unknown): string {
  let out = '';
  const open: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  for (let next = open.pop(); next; next = open.pop()) {
    if ('text' in next) {
      out += next.text;
      continue;
    }
    const at = next.value;
    if (Array.isArray(at)) {
      open.push({ text: ']' });
      for (let i = at.length - 1; i >= 0; i--) {
        open.push({ value: at[i] ?? null });
        if (i > 0) open.push({ text: ',' });
      }
      open.push({ text: '[' });
    } else if (typeof at === 'object' && at !== null) {
      const members = Object.entries(at).filter(([, member]) => member !== undefined);
      open.push({ text: '}' });
      members.reverse().forEach(([name, member], index) => {
        open.push({ value: member }, { text: `${index < members.length - 1 ? ',' : ''}${JSON.stringify(name)}:` });
      });
      open.push({ text: '{' });
    } else out += typeof at === 'bigint' ? at.toString() : JSON.stringify(at ?? null);
  }
  return out;
}

/** JSON text indented by two spaces, as `?pretty=true` shows it; without a line feed at its end. */
export function prettyJson(text: string): string {
  return new JsonIndenter().indent(text);
}

/** Indents JSON that comes in pieces, which end between two tokens, and not within an empty object or array. */
export class JsonIndenter {
  /** A line break and the spaces of the current depth. */
  #indent = '\n';

  indent(piece: string): string {
    let indent = this.#indent;
    let out = '';
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at];
      if (character === '"') {
        const start = at;
        for (at++; piece[at] !== '"'; at++) if (piece[at] === '\\') at++;
        out += piece.slice(start, at + 1);
      } else if (character === '{' || character === '[') {
        const closer = character === '{' ? '}' : ']';
        if (piece[at + 1] === closer) {
          out += character + closer;
          at++;
          continue;
        }
        indent += '  ';
        out += character + indent;
      } else if (character === '}' || character === ']') {
        indent = indent.slice(0, -2);
        out += indent + character;
      } else if (character === ',') out += character + indent;
      else if (character === ':') out += ': ';
      else if (character !== '\n') out += character;
    }
    this.#indent = indent;
    return out;
  }
}
