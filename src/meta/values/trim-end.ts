/** Removes characters of a set at the end of a text. In linear time: `/[x]+$/` starts over at each run of the characters. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
