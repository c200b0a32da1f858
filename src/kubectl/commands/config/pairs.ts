import { KubectlError } from '../../program/errors.ts';

/** Pairs to set and keys to remove. */
export interface Pairs {
  readonly set: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
}

/** Reads `key=value` and `key-`. Cf. kubectl cmd/util ParsePairs. @throws KubectlError that lists all others */
export function parsePairs(words: readonly string[], noun: string): Pairs {
  const set = words.filter((word) => word.indexOf('=') > 0);
  const removed = words.filter((word) => word.indexOf('=') <= 0 && word.endsWith('-') && word !== '-');
  const invalid = words.filter((word) => !set.includes(word) && !removed.includes(word));
  if (invalid.length > 0) throw new KubectlError(`invalid ${noun} format: ${invalid.join(', ')}`);
  const cut = (word: string): readonly [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
  return { set: new Map(set.map(cut)), removed: removed.map((word) => word.slice(0, -1)) };
}
