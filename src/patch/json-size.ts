import type { Json } from '../meta/index.ts';
import { isJsonArray, member, memberNames } from './json-value.ts';

/** Length of the JSON text in bytes; stops counting beyond `enough`. */
export function encodedBytes(value: Json, enough: number): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 1;
  if (isJsonArray(value)) {
    for (const item of value) {
      bytes += 1 + encodedBytes(item, enough - bytes);
      if (bytes > enough) break;
    }
    return value.length === 0 ? 2 : bytes;
  }
  const names = memberNames(value);
  for (const name of names) {
    bytes += 2 + textBytes(name) + encodedBytes(member(value, name) ?? null, enough - bytes);
    if (bytes > enough) break;
  }
  return names.length === 0 ? 2 : bytes;
}

function textBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}
