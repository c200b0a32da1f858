/** The offset of the quotation mark that closes the string starting at `start`, in valid JSON. */
export function closingQuote(text: string, start: number): number {
  let at = start + 1;
  for (; text[at] !== '"'; at++) if (text[at] === '\\') at++;
  return at;
}
