import { isJsonObject, type Json } from '../meta/index.ts';
import { isJsonArray, member } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/** A pointer's segments (RFC 6901). What stands before the first slash is lost, as upstream loses it. */
export function pointerSegments(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

export function refused(message: string): PatchError {
  return new PatchError('not-applicable', message);
}

function unescaped(segment: string): string {
  return segment.includes('~') ? segment.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')) : segment;
}

export function stepInto(at: Json | undefined, segment: string): Json | undefined {
  if (isJsonArray(at)) {
    const index = indexOf(at, segment);
    return typeof index === 'number' ? at[index] : undefined;
  }
  return isJsonObject(at) ? member(at, segment) : undefined;
}

/** An existing position, or why it is none. */
export function indexOf(list: readonly Json[], key: string): number | string {
  const index = parseIndex(key);
  if (index === undefined) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  if (index < -list.length || index >= list.length) return `Unable to access invalid index: ${index}: invalid index referenced`;
  return index < 0 ? index + list.length : index;
}

/** Where a new item goes; -1 is the end, since the list is one longer then. */
export function insertionIndex(list: readonly Json[], key: string): number {
  const index = parseIndex(key);
  if (index === undefined) {
    throw refused(`value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  }
  const length = list.length + 1;
  if (index < -length || index >= length) throw refused(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + length : index;
}

/** As Go's strconv.Atoi: a sign and leading zeros are fine. */
function parseIndex(key: string): number | undefined {
  return /^[+-]?\d+$/.test(key) ? Number(key) : undefined;
}
