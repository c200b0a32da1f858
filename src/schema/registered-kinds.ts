import type { Product } from '../meta/index.ts';
import registeredText from './data/registered.json?raw';

/** Request options and watch events, which exist in every version. */
const everywhere: ReadonlySet<string> = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
]);

/** Returns a predicate for the kinds of the real server's scheme, served or not: it still decodes removed versions. */
export function createIsRegistered(
  product: Product,
  hasShape: (groupVersion: string, kind: string) => boolean,
  isServed: (groupVersion: string) => boolean,
): (groupVersion: string, kind: string) => boolean {
  const { kinds }: { readonly kinds: Readonly<Record<string, string>> } = JSON.parse(product.rename(registeredText));
  const beyond = new Map(Object.entries(kinds).map(([groupVersion, names]) => [groupVersion, new Set(names.split(' '))]));
  const known = (groupVersion: string, kind: string): boolean =>
    hasShape(groupVersion, kind) || (beyond.get(groupVersion)?.has(kind) ?? false);
  return (groupVersion, kind) =>
    known(groupVersion, kind) ||
    (kind.endsWith('List') && known(groupVersion, kind.slice(0, -'List'.length))) ||
    (everywhere.has(kind) && (beyond.has(groupVersion) || isServed(groupVersion)));
}
