import { KubectlError } from '../../program/errors.ts';

/** Arguments before the first `name=value`, and the pairs. Cf. kubectl cmd/util GetResourcesAndPairs and ParsePairs. @throws KubectlError */
export function splitPairs(
  words: readonly string[],
  noun: string,
): { readonly resources: readonly string[]; readonly pairs: ReadonlyMap<string, string> } {
  const isPair = (word: string): boolean => word.indexOf('=') > 0 || (word.endsWith('-') && word !== '-');
  const first = words.findIndex(isPair);
  const [resources, rest] = first < 0 ? [words, []] : [words.slice(0, first), words.slice(first)];
  const misplaced = rest.find((word) => !isPair(word));
  if (misplaced !== undefined) throw new KubectlError(`all resources must be specified before ${noun} changes: ${misplaced}`);
  const invalid = rest.filter((word) => !word.includes('='));
  if (invalid.length > 0) throw new KubectlError(`invalid ${noun} format: ${invalid.join(', ')}`);
  return { resources, pairs: new Map(rest.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])) };
}
