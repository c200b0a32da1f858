import { formatGoValue, isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { draftOf, memberNames, sameJson } from '../json-value.ts';
import { patchDirective, wrongType } from './directives.ts';
import { deduplicateValues, itemKind, mergeKeyOf, sortByOrder, sortByText } from './list-order.ts';
import { sameItem } from './set-order.ts';

type List = readonly Json[];

/** Which part of a difference to compute; `both` for a patch from one document to the other. */
export type DiffPart = 'both' | 'changes' | 'deletions';

export interface ListDiffRule {
  readonly mergeKey: string;
  readonly part: DiffPart;
  /** Creates the patch for an item in both lists. */
  readonly diffItem: (before: JsonObject, after: JsonObject) => JsonObject;
}

export interface ListDiff {
  /** Added and changed items; for lists of objects also deletions. */
  readonly items: List;
  /** Values to delete from a list of scalars. */
  readonly deletions: List;
  /** The requested order, when the list has changes. */
  readonly order: List;
}

const nothing: ListDiff = { items: [], deletions: [], order: [] };

/** Creates the patch from one merging list to the other (cf. strategicpatch diffLists). */
export function diffLists(original: List, modified: List, rule: ListDiffRule): ListDiff {
  const { part } = rule;
  if (original.length === 0) return part === 'deletions' ? nothing : { ...nothing, items: modified };
  return itemKind(original, modified) === 'object' ? diffObjectLists(original, modified, rule) : diffValues(original, modified, part);
}

function diffObjectLists(original: List, modified: List, rule: ListDiffRule): ListDiff {
  const { mergeKey, part } = rule;
  const { changes, deletions } = walkByKey(sortByKey(original, mergeKey), sortByKey(modified, mergeKey), rule);
  const items = [...sortByOrder(changes, modified, mergeKey, 'object'), ...deletions];
  const moved = original.length !== modified.length || modified.some((item, index) => !sameItem(original[index] ?? null, item, mergeKey));
  const ordered = items.length > 0 || (part !== 'deletions' && moved);
  return { items, deletions: [], order: ordered ? modified.map((item) => keyOnly(objectOf(item), mergeKey)) : [] };
}

function objectOf(item: Json): JsonObject {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
  return item;
}

function keyOnly(item: JsonObject, mergeKey: string): JsonObject {
  const only = {};
  setMember(only, mergeKey, mergeKeyOf(item, mergeKey));
  return only;
}

interface Keyed {
  readonly item: JsonObject;
  readonly key: Json;
  readonly text: string;
}

function sortByKey(list: List, mergeKey: string): readonly Keyed[] {
  const sorted = sortByText(list, (item) => formatGoValue(mergeKeyOf(objectOf(item), mergeKey)));
  return sorted.map((item) => {
    const key = mergeKeyOf(objectOf(item), mergeKey);
    return { item: objectOf(item), key, text: formatGoValue(key) };
  });
}

/** Walks both lists in parallel, sorted by key. */
function walkByKey(
  original: readonly Keyed[],
  modified: readonly Keyed[],
  { mergeKey, part, diffItem }: ListDiffRule,
): { changes: Json[]; deletions: Json[] } {
  const changes: Json[] = [];
  const deletions: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < original.length || j < modified.length) {
    const before = original[i];
    const after = modified[j];
    if (before && after && before.text === after.text) {
      const change = diffItem(before.item, after.item);
      if (memberNames(change).length > 0) changes.push(withKey(change, mergeKey, after.key));
      i++;
      j++;
    } else if (after && (!before || before.text > after.text)) {
      if (part !== 'deletions') changes.push(after.item);
      j++;
    } else {
      if (before && part !== 'changes') deletions.push(withKey({ [patchDirective]: 'delete' }, mergeKey, before.key));
      i++;
    }
  }
  return { changes, deletions };
}

function withKey(item: JsonObject, mergeKey: string, key: Json): JsonObject {
  const out = draftOf(item);
  setMember(out, mergeKey, key);
  return out;
}

function diffValues(original: List, modified: List, part: DiffPart): ListDiff {
  const before = sortByText(original);
  const { added, removed } = walkByText(before, sortByText(modified));
  const items = part === 'deletions' ? [] : sortByOrder(added, modified, '', 'scalar');
  const deletions = part === 'changes' ? [] : deduplicateValues(removed);
  // Upstream has sorted the original in place at this point, so an unsorted list counts as changed.
  const ordered = deletions.length > 0 || (part !== 'deletions' && !sameJson(before, modified));
  return { items, deletions, order: ordered ? modified : [] };
}

function walkByText(original: List, modified: List): { added: Json[]; removed: Json[] } {
  const added: Json[] = [];
  const removed: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < original.length || j < modified.length) {
    const before = original[i];
    const after = modified[j];
    const [a, b] = [formatGoValue(before ?? null), formatGoValue(after ?? null)];
    if (before !== undefined && after !== undefined && a === b) {
      i++;
      j++;
    } else if (after !== undefined && (before === undefined || a > b)) {
      added.push(after);
      j++;
    } else {
      if (before !== undefined) removed.push(before);
      i++;
    }
  }
  return { added, removed };
}
