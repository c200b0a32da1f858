import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import {
  deleteFromListPrefix,
  listNamed,
  patchDirective,
  retainKeysDirective,
  setOrderPrefix,
  withoutDirectives,
  withoutNullMembers,
} from './directives.ts';
import { type MergeRule, ruleOfList, ruleOfObject } from './merge-schema.ts';

/**
 * What is left of a patch once it was merged into `original`: the real server carries directives out by taking them away, and shows
 * that when the outcome fits no type. Cf. apimachinery strategicpatch mergeMap, which changes what it is given.
 */
export function mergedPatch(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  const left = draftOf(patch);
  const directive = member(patch, patchDirective);
  if (directive !== undefined) {
    if (directive === 'replace') delete left[patchDirective];
    return left as JsonObject;
  }
  delete left[retainKeysDirective];
  takeOrdered(left, original);
  for (const name of memberNames(left)) {
    if (!name.startsWith(deleteFromListPrefix))
      setMember(left, name, mergedMember(member(original, name), left[name] ?? null, schema, name));
  }
  return left as JsonObject;
}

/** A list in whose order something is set goes with that. */
function takeOrdered(left: Draft, original: JsonObject): void {
  for (const key of Object.keys(left).filter((name) => name.startsWith(setOrderPrefix))) {
    delete left[key];
    const name = listNamed(key, setOrderPrefix);
    if (name !== undefined && (member(left, name) !== undefined || member(original, name) !== undefined)) delete left[name];
  }
}

function mergedMember(before: Json | undefined, value: Json, in_: Schema | undefined, name: string): Json {
  if (isJsonObject(before) && isJsonObject(value)) {
    const { schema, strategy } = ruleOfObject(in_, name);
    return strategy === 'replace' ? value : mergedPatch(before, value, schema);
  }
  if (isJsonArray(before) && isJsonArray(value)) return mergedItems(before, value, ruleOfList(in_, name));
  return taken(value);
}

function mergedItems(before: readonly Json[], value: readonly Json[], { strategy, mergeKey, schema }: MergeRule): Json {
  if (strategy !== 'merge' || mergeKey === '') return value;
  const sameKey = (item: JsonObject) => (live: Json) =>
    isJsonObject(live) && sameJson(member(live, mergeKey) ?? null, member(item, mergeKey) ?? null);
  return value.map((item) => {
    const live = isJsonObject(item) && member(item, patchDirective) === undefined ? before.find(sameKey(item)) : undefined;
    return isJsonObject(item) && isJsonObject(live) ? mergedPatch(live, item, schema) : item;
  });
}

/** What met nothing of its kind is taken over, without nulls and directives; what is to be left out whole stays as it was. */
function taken(value: Json): Json {
  if (isJsonArray(value)) return value.map(taken);
  const given = withoutNullMembers(value);
  return withoutDirectives(given) ?? given;
}
