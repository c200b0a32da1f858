import { formatGoValue, goType, isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { type Draft, isJsonArray, member, memberNames } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';

/** In an object: `replace` or `delete` the object; in an item of a merging list also `delete` the item. */
export const patchDirective = '$patch';
/** The members to retain; all others are deleted. */
export const retainKeysDirective = '$retainKeys';
/** `$setElementOrder/NAME`: the order of list NAME. */
export const setOrderPrefix = '$setElementOrder';
/** `$deleteFromPrimitiveList/NAME`: values to delete from list NAME. */
export const deleteFromListPrefix = '$deleteFromPrimitiveList';

export const badPrimitiveList = (): PatchError => new PatchError('bad-patch', 'invalid patch format of primitive list');
export const badRetainKeys = (): PatchError => new PatchError('bad-patch', 'invalid patch format of retainKeys');
export const badSetOrder = (): PatchError => new PatchError('bad-patch', 'invalid patch format of setElementOrder list');
export const noListOfLists = (): PatchError => new PatchError('not-applicable', 'lists of lists are not supported');

export function badDirective(directive: Json, patch: JsonObject): PatchError {
  return new PatchError('failed', `unknown patch type: ${formatAsString(directive)} in map: ${formatGoValue(patch)}`);
}

/** Formats a value as Go's `%s` does when it is not a string. */
function formatAsString(value: Json): string {
  if (value === null) return '%!s(<nil>)';
  if (typeof value === 'object' || typeof value === 'string') return formatGoValue(value);
  return `%!s(${goType(value)}=${formatGoValue(value)})`;
}

export function noMergeKey(item: JsonObject, mergeKey: string): PatchError {
  return new PatchError('failed', `map: ${formatGoValue(item)} does not contain declared merge key: ${mergeKey}`);
}

export function wrongType(expected: 'map[string]interface {}' | '[]interface {}', actual: Json | undefined): PatchError {
  return new PatchError(
    'failed',
    `expected a ${expected}, but received a ${actual === null || actual === undefined ? '%!s(<nil>)' : goType(actual)}`,
  );
}

/** The list name after `prefix/`. */
export function listNameAfter(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

/** Removes directives from a new value: an object with `$patch` is dropped. Undefined when the value itself is dropped. */
export function withoutDirectives(value: Json): Json | undefined {
  if (isJsonArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (member(value, patchDirective) !== undefined) return undefined;
  const out: Draft = {};
  for (const name of memberNames(value)) {
    const part = withoutDirectives(value[name] ?? null);
    if (part !== undefined) setMember(out, name, part);
  }
  return out;
}

/** Null members mean "remove", and in a new value there is nothing to remove. Nulls in lists stay. */
export function withoutNullMembers(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutNullMembers);
  if (!isJsonObject(value)) return value;
  const out: Draft = {};
  for (const name of memberNames(value)) {
    const part = value[name] ?? null;
    if (part !== null) setMember(out, name, withoutNullMembers(part));
  }
  return out;
}
