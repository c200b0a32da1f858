import { fuzzyScore } from '../../views/fuzzy.ts';

export interface FilterableRow {
  /** All cells in lower case. */
  readonly text: string;
  readonly name: string;
}

export interface RowFilter {
  readonly passes: (row: FilterableRow) => boolean;
  /** For the server: `-l app=web`. */
  readonly labelSelector: string;
}

/** `text` and `!text` for words; `-f text` for fuzzy search; the server evaluates `-l k=v` (cf. k9s). */
export function parseFilter(typed: string): RowFilter {
  const selector = /(?:^|\s)-l\s*(\S+(?:\s*,\s*\S+|\s+(?:in|notin)\s*\([^)]*\))*)/.exec(typed);
  const rest = selector === null ? typed : typed.replace(selector[0], ' ');
  const fuzzy = /(?:^|\s)-f\s+(.*)$/.exec(rest);
  if (fuzzy !== null) {
    const letters = fuzzy[1] ?? '';
    return { labelSelector: selector?.[1] ?? '', passes: ({ name }) => fuzzyScore(letters, name) !== undefined };
  }
  const words = rest
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '!');
  return {
    labelSelector: selector?.[1] ?? '',
    passes: ({ text }) => words.every((word) => (word.startsWith('!') ? !text.includes(word.slice(1)) : text.includes(word))),
  };
}
