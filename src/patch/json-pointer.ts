import { isJsonObject, type Json } from '../meta/index.ts';
import { isJsonArray, member } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/** The segments of a pointer (RFC 6901). Text before the first slash is dropped, as upstream does. */
export function pointerSegments(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeSegment);
}

export function notApplicable(message: string): PatchError {
  return new PatchError('not-applicable', message);
}

function unescapeSegment(segment: string): string {
  return segment.includes('~') ? segment.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')) : segment;
}

export function stepInto(at: Json | undefined, segment: string): Json | undefined {
  if (isJsonArray(at)) {
    const index = indexOf(at, segment);
    return typeof index === 'number' ? at[index] : undefined;
  }
  return isJsonObject(at) ? member(at, segment) : undefined;
}

/** Returns an existing index, or the reason why the index is invalid. */
export function indexOf(list: readonly Json[], key: string): number | string {
  const index = parseIndex(key);
  if (index === undefined) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  if (index < -list.length || index >= list.length) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + list.length : index;
}

/** The index for a new item; -1 is the end, since the list is one longer then. */
export function insertionIndex(list: readonly Json[], key: string): number {
  const index = parseIndex(key);
  if (index === undefined) {
    throw notApplicable(`value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  }
  const length = list.length + 1;
  if (index < -length || index >= length) throw notApplicable(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + length : index;
}

/** Like Go's strconv.Atoi: accepts a sign and leading zeros. */
function parseIndex(key: string): number | undefined {
  return /^[+-]?\d+$/.test(key) ? Number(key) : undefined;
}
