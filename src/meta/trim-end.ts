/** Removes all occurrences of a character at the end of a text. In linear time: `/x+$/` starts over at each run of the character. */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
