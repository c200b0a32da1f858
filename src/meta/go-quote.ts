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
/** What Go's strconv.Quote does not show as it is: of spaces only the ASCII one is. */
const toEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** A text in quotation marks as Go's `%q` writes it. */
export function goQuote(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${text.replace(toEscape, escaped)}"`;
}

/** A list of texts as Go's `%q` writes it: `["a" "b"]`. */
export function goQuotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

/** A character in apostrophes, as Go's syntax errors show it. */
export function goQuoteRune(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}

function escaped(character: string): string {
  const known = special.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  // Half a surrogate pair is no character at all.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  const hex = (digits: number): string => code.toString(16).padStart(digits, '0');
  if (code < 0x80) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
