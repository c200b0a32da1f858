import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { type Draft, isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { type DiffPart, diffLists } from './diff-list.ts';
import { deleteFromListPrefix, patchDirective, retainKeysDirective, setOrderPrefix } from './directives.ts';
import { sortByText } from './list-order.ts';
import { mergeObject } from './merge.ts';
import { type MergeRule, ruleOfList, ruleOfObject } from './merge-schema.ts';

/** Creates the strategic merge patch from `original` to `modified` (cf. strategicpatch CreateTwoWayMergeMapPatch). */
export function createStrategicPatch(original: JsonObject, modified: JsonObject, schema: Schema): JsonObject {
  return diffObjects(original, modified, schema, { part: 'both', retainKeys: false });
}

/**
 * The patch of a client-side apply: the changes from the live object to the new configuration, and the removal of members that are only in
 * the last applied one (cf. strategicpatch CreateThreeWayMergePatch with overwrite).
 * @throws PatchError when a list item lacks its merge key, or a field is unknown
 */
export function createThreeWayStrategicPatch(original: JsonObject, modified: JsonObject, current: JsonObject, schema: Schema): JsonObject {
  const changes = diffObjects(current, modified, schema, { part: 'changes', retainKeys: false });
  const deletions = diffObjects(original, modified, schema, { part: 'deletions', retainKeys: false });
  return mergeObject(deletions, changes, schema, 'combine');
}

interface DiffOptions {
  readonly part: DiffPart;
  /** Whether the object's members are listed in `$retainKeys`. */
  readonly retainKeys: boolean;
}

function diffObjects(original: JsonObject, modified: JsonObject, schema: Schema | undefined, options: DiffOptions): JsonObject {
  const patch: Draft = {};
  for (const name of memberNames(modified)) diffMember(patch, name, [member(original, name), modified[name] ?? null], schema, options);
  if (options.part !== 'changes') {
    for (const name of memberNames(original)) if (member(modified, name) === undefined) setMember(patch, name, null);
  }
  if (options.retainKeys) addRetainKeys(patch, original, modified);
  return patch;
}

type ValuePair = readonly [before: Json | undefined, after: Json];

function diffMember(patch: Draft, name: string, sides: ValuePair, schema: Schema | undefined, options: DiffOptions): void {
  const [before, after] = sides;
  if (before !== undefined && name === patchDirective) diffDirective(patch, before, after);
  else if (isJsonObject(before) && isJsonObject(after)) diffObjectMember(patch, name, [before, after], schema, options);
  else if (isJsonArray(before) && isJsonArray(after)) diffListMember(patch, name, [before, after], schema, options);
  else if (options.part !== 'deletions' && !sameJson(before, after)) setMember(patch, name, after);
}

function diffDirective(patch: Draft, before: Json, after: Json): void {
  const invalid = (): PatchError => new PatchError('failed', `invalid value for special key: ${patchDirective}`);
  if (typeof before !== 'string' || typeof after !== 'string') throw invalid();
  if (before !== after) setMember(patch, patchDirective, after);
}

/** The merge rule of a field; undefined when the field is unknown but has no changes. */
function findRule(find: () => MergeRule, before: Json, after: Json): MergeRule | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof PatchError && sameJson(before, after)) return undefined;
    throw error;
  }
}

function diffObjectMember(
  patch: Draft,
  name: string,
  sides: readonly [JsonObject, JsonObject],
  in_: Schema | undefined,
  options: DiffOptions,
): void {
  const [before, after] = sides;
  const rule = findRule(() => ruleOfObject(in_, name), before, after);
  if (!rule) return;
  if (rule.strategy === 'replace') {
    if (options.part !== 'deletions') setMember(patch, name, after);
    return;
  }
  const inner = diffObjects(before, after, rule.schema, { ...options, retainKeys: rule.retainKeys });
  if (memberNames(inner).length > 0) setMember(patch, name, inner);
}

function diffListMember(
  patch: Draft,
  name: string,
  sides: readonly [readonly Json[], readonly Json[]],
  in_: Schema | undefined,
  options: DiffOptions,
): void {
  const [before, after] = sides;
  const rule = findRule(() => ruleOfList(in_, name), before, after);
  if (!rule) return;
  if (rule.strategy !== 'merge') {
    if (options.part !== 'deletions' && !sameJson(before, after)) setMember(patch, name, after);
    return;
  }
  const diffItem = (a: JsonObject, b: JsonObject): JsonObject =>
    diffObjects(a, b, rule.schema, { part: options.part, retainKeys: rule.retainKeys });
  const { items, deletions, order } = diffLists(before, after, { mergeKey: rule.mergeKey, part: options.part, diffItem });
  if (items.length > 0) setMember(patch, name, items);
  if (deletions.length > 0) setMember(patch, `${deleteFromListPrefix}/${name}`, deletions);
  if (order.length > 0) setMember(patch, `${setOrderPrefix}/${name}`, order);
}

function addRetainKeys(patch: Draft, original: JsonObject, modified: JsonObject): void {
  const retained = memberNames(modified).filter((name) => modified[name] !== null);
  const clears = memberNames(original).some((name) => original[name] !== null && member(modified, name) === undefined);
  if (retained.length > 0 && (memberNames(patch).length > 0 || clears)) setMember(patch, retainKeysDirective, sortByText(retained));
}
