import { isJsonObject, type Json } from '../meta/index.ts';

const maxShownPaths = 6;

/** Paths of the fields that a plugin changed, for example `spec.volumes[1]`. Unchanged values are identical, so comparison is cheap. */
export function changedPaths(before: Json, after: Json): readonly string[] {
  const paths: string[] = [];
  const compare = (a: Json | undefined, b: Json | undefined, path: string): void => {
    if (a === b) return;
    if (isJsonObject(a) && isJsonObject(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) compare(a[name], b[name], path === '' ? name : `${path}.${name}`);
    } else if (Array.isArray(a) && Array.isArray(b)) {
      for (let i = 0; i < Math.max(a.length, b.length); i += 1) compare(a[i], b[i], `${path}[${i}]`);
    } else paths.push(path);
  };
  compare(before, after, '');
  return paths.length <= maxShownPaths ? paths : [...paths.slice(0, maxShownPaths), `and ${paths.length - maxShownPaths} more`];
}
