import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import {
  deleteFromListPrefix,
  listNameAfter,
  patchDirective,
  retainKeysDirective,
  setOrderPrefix,
  withoutDirectives,
  withoutNullMembers,
} from './directives.ts';
import { type MergeRule, ruleOfList, ruleOfObject } from './merge-schema.ts';

/**
 * The rest of a patch after the merge into `original`: the real server removes directives when it executes them, and shows the rest in an
 * error when the result does not match the type. Cf. apimachinery strategicpatch mergeMap, which modifies its arguments.
 */
export function remainingPatch(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const left = draftOf(patch);
  const directive = member(patch, patchDirective);
  if (directive !== undefined) {
    if (directive === 'replace') delete left[patchDirective];
    return left as JsonObject;
  }
  delete left[retainKeysDirective];
  dropOrderedLists(left, original);
  for (const name of memberNames(left)) {
    if (!name.startsWith(deleteFromListPrefix))
      setMember(left, name, remainingMember(member(original, name), left[name] ?? null, schema, name));
  }
  return left as JsonObject;
}

/** Drops `$setElementOrder` directives together with the lists that they order. */
function dropOrderedLists(left: Draft, original: JsonObject): void {
  for (const key of Object.keys(left).filter((name) => name.startsWith(setOrderPrefix))) {
    delete left[key];
    const name = listNameAfter(key, setOrderPrefix);
    if (name !== undefined && (member(left, name) !== undefined || member(original, name) !== undefined)) delete left[name];
  }
}

function remainingMember(before: Json | undefined, value: Json, in_: Schema | undefined, name: string): Json {
  if (isJsonObject(before) && isJsonObject(value)) {
    const { schema, strategy } = ruleOfObject(in_, name);
    return strategy === 'replace' ? value : remainingPatch(before, value, schema);
  }
  if (isJsonArray(before) && isJsonArray(value)) return remainingItems(before, value, ruleOfList(in_, name));
  return copyNewValue(value);
}

function remainingItems(before: readonly Json[], value: readonly Json[], { strategy, mergeKey, schema }: MergeRule): Json {
  if (strategy !== 'merge' || mergeKey === '') return value;
  const sameKey = (item: JsonObject) => (live: Json) =>
    isJsonObject(live) && sameJson(member(live, mergeKey) ?? null, member(item, mergeKey) ?? null);
  return value.map((item) => {
    const live = isJsonObject(item) && member(item, patchDirective) === undefined ? before.find(sameKey(item)) : undefined;
    return isJsonObject(item) && isJsonObject(live) ? remainingPatch(live, item, schema) : item;
  });
}

/** A value without a counterpart of its kind is copied without nulls and directives; an object with `$patch` stays unchanged. */
function copyNewValue(value: Json): Json {
  if (isJsonArray(value)) return value.map(copyNewValue);
  const given = withoutNullMembers(value);
  return withoutDirectives(given) ?? given;
}
