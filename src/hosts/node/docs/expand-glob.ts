import { readdir } from 'node:fs/promises';
import { globToRegExp } from '../../../shell/index.ts';

/** Folders that patterns with `**` do not enter. */
const isSkipped = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** The paths that match a pattern, sorted. A double asterisk stands for any number of folders. A path without wildcards matches itself. */
export async function expandGlob(pattern: string): Promise<readonly string[]> {
  if (!/[*?[]/.test(pattern)) return [pattern];
  const parts = pattern.split('/').filter((part, index) => index === 0 || (part !== '' && part !== '.'));
  const [first = '', ...rest] = parts;
  const found = first === '' ? await match('/', rest) : await match('', parts);
  return [...new Set(found)].sort();
}

async function match(folder: string, parts: readonly string[]): Promise<readonly string[]> {
  const [part, ...rest] = parts;
  if (part === undefined) return [];
  if (part === '.' || part === '..') return match(`${folder}${part}/`, rest);
  const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !isSkipped(entry.name));
  const below = async (next: readonly string[], names: readonly { readonly name: string }[]): Promise<readonly string[]> =>
    (await Promise.all(names.map(({ name }) => match(`${folder}${name}/`, next)))).flat();
  if (part === '**') return [...(await match(folder, rest)), ...(await below(parts, folders))];
  const matching = globToRegExp(part);
  if (rest.length > 0)
    return below(
      rest,
      folders.filter(({ name }) => matching.test(name)),
    );
  return entries.filter((entry) => entry.isFile() && matching.test(entry.name)).map(({ name }) => folder + name);
}
