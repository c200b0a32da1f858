import { isJsonObject, type Json, stringifyJson } from '../meta/index.ts';
import { isJsonArray, memberNames } from './json-value.ts';

/**
 * The text of a patched document, as errors show it: members in order of name where the patch looked, and as they stood in parts
 * taken over whole from one of the `sources` (cf. evanphx/json-patch lazyNode).
 */
export function documentText(document: Json, sources: readonly Json[]): string {
  const untouched = new Set<Json>();
  for (const source of sources) gather(source, untouched);
  const text = (value: Json): string => {
    if (untouched.has(value)) return stringifyJson(value);
    if (isJsonArray(value)) return `[${value.map(text).join(',')}]`;
    if (!isJsonObject(value)) return stringifyJson(value);
    const members = memberNames(value).sort();
    return `{${members.map((name) => `${stringifyJson(name)}:${text(value[name] ?? null)}`).join(',')}}`;
  };
  return text(document);
}

function gather(value: Json | undefined, into: Set<Json>): void {
  if (typeof value !== 'object' || value === null) return;
  into.add(value);
  for (const part of isJsonArray(value) ? value : Object.values(value)) gather(part, into);
}
