import { formatGoValue, isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import type { Schema } from '../../schema/index.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import {
  badDirective,
  badPrimitiveList,
  badRetainKeys,
  badSetOrder,
  deleteFromListPrefix,
  listNameAfter,
  patchDirective,
  retainKeysDirective,
  setOrderPrefix,
  withoutDirectives,
  withoutNullMembers,
  wrongType,
} from './directives.ts';
import { itemKind, mergeOrdered, partition } from './list-order.ts';
import { mergeItems } from './merge-list.ts';
import { type MergeRule, ruleOfList, ruleOfObject } from './merge-schema.ts';
import { requireSetOrder } from './set-order.ts';

/**
 * `apply`: the patch is applied to an object; directives are executed and nulls remove members.
 * `combine`: the patch is merged with another patch; directives and nulls are preserved for the server.
 */
export type MergeMode = 'apply' | 'combine';

/**
 * Strategic merge patch: a merge patch that also merges the lists selected by the schema, with directives to delete, replace and order
 * (part 4.5; cf. apimachinery strategicpatch StrategicMergeMapPatch). The arguments are not modified.
 * @throws PatchError `bad-patch` | `not-applicable` | `failed`
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  return mergeObject(document, patch, schema, 'apply');
}

export function mergeObject(original: JsonObject, patch: JsonObject, schema: Schema | undefined, mode: MergeMode): JsonObject {
  const directive = member(patch, patchDirective);
  if (directive !== undefined) return executeDirective(directive, patch);
  const out = draftOf(original);
  const rest = draftOf(patch);
  retainKeys(out, rest, mode);
  mergeOrderedLists(out, rest, schema, mode);
  for (const name of memberNames(rest)) mergeMember(out, name, rest[name] ?? null, schema, mode);
  return out;
}

function executeDirective(directive: Json, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw badDirective(directive, patch);
  const { [patchDirective]: _, ...replacement } = patch;
  return replacement;
}

function mergeMember(out: Draft, key: string, value: Json, schema: Schema | undefined, mode: MergeMode): void {
  const deletes = key.startsWith(deleteFromListPrefix);
  if (deletes && mode === 'combine') {
    setMember(out, key, value);
    return;
  }
  const name = deletes ? listNameAfter(key, deleteFromListPrefix) : key;
  if (name === undefined) throw badPrimitiveList();
  if (value === null) {
    delete out[name];
    if (mode === 'combine') setMember(out, name, null);
    return;
  }
  const before = member(out, name);
  if (isJsonObject(before) && isJsonObject(value)) mergeObjectMember(out, name, [before, value], schema, mode);
  else if (isJsonArray(before) && isJsonArray(value)) mergeListMember(out, name, [before, value], { schema, mode, deletes });
  else if (!deletes) setNewMember(out, name, value, mode);
}

function mergeObjectMember(
  out: Draft,
  name: string,
  [before, value]: [JsonObject, JsonObject],
  in_: Schema | undefined,
  mode: MergeMode,
): void {
  const { schema, strategy } = ruleOfObject(in_, name);
  setMember(out, name, strategy === 'replace' ? value : mergeObject(before, value, schema, mode));
}

interface ListContext {
  readonly schema: Schema | undefined;
  readonly mode: MergeMode;
  /** The list contains values to delete. */
  readonly deletes: boolean;
}

function mergeListMember(out: Draft, name: string, [before, value]: [readonly Json[], readonly Json[]], context: ListContext): void {
  const rule = ruleOfList(context.schema, name);
  if (context.deletes) setMember(out, name, removeValues(before, value));
  else setMember(out, name, rule.strategy === 'merge' ? mergeItems(before, value, rule, itemMerge(rule, context.mode)).list : value);
}

function itemMerge({ schema }: MergeRule, mode: MergeMode): (before: JsonObject, patch: JsonObject) => JsonObject {
  return (before, patch) => mergeObject(before, patch, schema, mode);
}

function removeValues(list: readonly Json[], values: readonly Json[]): readonly Json[] {
  if (list.length + values.length === 0) return list;
  itemKind(list, values);
  const deleted = new Set(values);
  return list.filter((item) => !deleted.has(item));
}

function setNewMember(out: Draft, name: string, value: Json, mode: MergeMode): void {
  const fresh = withoutDirectives(mode === 'apply' ? withoutNullMembers(value) : value);
  if (fresh === undefined) delete out[name];
  else setMember(out, name, fresh);
}

/** `$retainKeys`: deletes members that are not listed; the patch must not set such members. */
function retainKeys(out: Draft, rest: Draft, mode: MergeMode): void {
  const named = member(rest, retainKeysDirective);
  if (named === undefined) return;
  delete rest[retainKeysDirective];
  if (mode === 'combine') {
    combineDirective(out, retainKeysDirective, named, retainKeysMismatch);
    return;
  }
  if (!isJsonArray(named)) throw badRetainKeys();
  const retained = new Set<Json>(named);
  for (const name of memberNames(rest)) {
    const directive = name.startsWith(deleteFromListPrefix) || name.startsWith(setOrderPrefix);
    if (rest[name] !== null && !directive && !retained.has(name)) throw badRetainKeys();
  }
  for (const name of Object.keys(out)) if (!retained.has(name)) delete out[name];
}

function retainKeysMismatch(before: Json, now: Json): PatchError {
  const both = `${formatGoValue(before)} and ${formatGoValue(now)}`;
  return new PatchError('failed', `${both} are not deep equal: this may happen when calculating the 3-way diff patch`);
}

function combineDirective(out: Draft, key: string, value: Json, differing: (before: Json, now: Json) => PatchError): void {
  const before = member(out, key);
  if (before === undefined) setMember(out, key, value);
  else if (!sameJson(before, value)) throw differing(before, value);
}

/** Merges lists with a `$setElementOrder/NAME`, and orders them by it, with the other live items in between. */
function mergeOrderedLists(out: Draft, rest: Draft, schema: Schema | undefined, mode: MergeMode): void {
  for (const key of Object.keys(rest).filter((name) => name.startsWith(setOrderPrefix))) {
    const order = rest[key] ?? null;
    if (mode === 'combine') combineDirective(out, key, order, badSetOrder);
    delete rest[key];
    const name = listNameAfter(key, setOrderPrefix);
    if (!isJsonArray(order)) throw wrongType('[]interface {}', order);
    if (name === undefined) throw badSetOrder();
    const live = listMember(out, name);
    const patch = listMember(rest, name);
    const rule = ruleOfList(schema, name);
    requireSetOrder(patch ?? [], order, rule.mergeKey);
    if (!live && !patch) continue;
    setMember(out, name, orderList({ live, patch, order }, rule, mode));
    delete rest[name];
  }
}

function listMember(object: JsonObject, name: string): readonly Json[] | undefined {
  const value = member(object, name);
  if (value === undefined || isJsonArray(value)) return value;
  throw wrongType('[]interface {}', value);
}

interface OrderedLists {
  readonly live: readonly Json[] | undefined;
  readonly patch: readonly Json[] | undefined;
  readonly order: readonly Json[];
}

function orderList({ live, patch, order }: OrderedLists, rule: MergeRule, mode: MergeMode): Json {
  let merged: { readonly list: readonly Json[]; readonly left: readonly Json[] } = { list: live ?? [], left: live ?? [] };
  if (patch && live && rule.strategy === 'merge') merged = mergeItems(live, patch, rule, itemMerge(rule, mode));
  else if (patch) merged = { list: live ? patch : patch.map(withoutDirectives).filter((item) => item !== undefined), left: live ?? [] };
  const { inside, outside } = partition(merged.list, order, rule.mergeKey);
  const kind = itemKind(merged.left, patch ?? []);
  return mergeOrdered(inside, outside, { patch: order, live: merged.left }, rule.mergeKey, kind);
}
