const special: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);
const plain = /^[ !#-[\]-~]*$/;
/** Characters that Go's strconv.Quote escapes. */
const toEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Like Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and of all spaces only the ASCII one. */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

/** Quotes a text like Go's `%q`. */
export function goQuote(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${text.replace(toEscape, escapeCharacter)}"`;
}

/** Formats a list of texts like Go's `%q`: `["a" "b"]`. */
export function goQuotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

/** Quotes one character in apostrophes, as in Go's syntax errors. */
export function goQuoteRune(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}

function escapeCharacter(character: string): string {
  const known = special.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  // A lone surrogate is not a character.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const hex = (digits: number): string => code.toString(16).padStart(digits, '0');
  if (code < 0x80) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
