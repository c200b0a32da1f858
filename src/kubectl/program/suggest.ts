import type { Command } from './command.ts';
import { KubectlError } from './errors.ts';

/** Words that people type for another command. Cf. cobra's SuggestFor. */
const meant: Readonly<Record<string, readonly string[]>> = { list: ['get', 'wait'], ps: ['get', 'wait'], rm: ['delete'] };

/** Suggestions for a mistyped command: by edit distance, common prefix or meaning. Cf. cobra's SuggestionsFor, minimum distance 2. */
function suggestionsFor(typed: string, names: readonly string[]): readonly string[] {
  const lower = typed.toLowerCase();
  const others = Object.hasOwn(meant, lower) ? (meant[lower] ?? []) : [];
  const isClose = (name: string): boolean => editDistance(lower, name.toLowerCase()) <= 2 || name.toLowerCase().startsWith(lower);
  return names.filter((name) => isClose(name) || others.includes(name));
}

/** Levenshtein distance. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The error for an unknown command, with suggestions. */
export function unknownCommandError(word: string, root: Command): KubectlError {
  const suggestions = suggestionsFor(word, Object.keys(root.subcommands ?? {}));
  const tail = suggestions.length > 0 ? `\n\nDid you mean this?\n${suggestions.map((name) => `\t${name}\n`).join('')}` : '';
  return new KubectlError(`unknown command ${JSON.stringify(word)} for "kubectl"${tail}`);
}
