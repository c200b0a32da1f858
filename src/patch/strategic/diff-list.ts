import { goText, isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { draftOf, memberNames, sameJson } from '../json-value.ts';
import { patchDirective, wrongType } from './directives.ts';
import { inOrder, itemKind, mergeKeyOf, sortedByText, withoutRepeats } from './list-order.ts';
import { sameItem } from './set-order.ts';

type List = readonly Json[];

/** Which half of a difference is wanted; `both` for a patch from one document to the other. */
export type DiffPart = 'both' | 'changes' | 'deletions';

export interface ListDiffRule {
  readonly mergeKey: string;
  readonly part: DiffPart;
  /** The patch for an item that both lists have. */
  readonly diffItem: (before: JsonObject, after: JsonObject) => JsonObject;
}

export interface ListDiff {
  /** Added and changed items, for lists of objects also the deletions. */
  readonly items: List;
  /** Values to take out of a list of plain values. */
  readonly deletions: List;
  /** The order wanted, when the patch says anything about the list. */
  readonly order: List;
}

const nothing: ListDiff = { items: [], deletions: [], order: [] };

/** What makes one merging list of the other (cf. strategicpatch diffLists). */
export function diffLists(original: List, modified: List, rule: ListDiffRule): ListDiff {
  const { part } = rule;
  if (original.length === 0) return part === 'deletions' ? nothing : { ...nothing, items: modified };
  return itemKind(original, modified) === 'object' ? diffObjectLists(original, modified, rule) : diffValues(original, modified, part);
}

function diffObjectLists(original: List, modified: List, rule: ListDiffRule): ListDiff {
  const { mergeKey, part } = rule;
  const { changes, deletions } = walkByKey(sortedByKey(original, mergeKey), sortedByKey(modified, mergeKey), rule);
  const items = [...inOrder(changes, modified, mergeKey, 'object'), ...deletions];
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

function sortedByKey(list: List, mergeKey: string): readonly Keyed[] {
  const sorted = sortedByText(list, (item) => goText(mergeKeyOf(objectOf(item), mergeKey)));
  return sorted.map((item) => {
    const key = mergeKeyOf(objectOf(item), mergeKey);
    return { item: objectOf(item), key, text: goText(key) };
  });
}

/** Both lists in order of key, side by side. */
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
  const before = sortedByText(original);
  const { added, removed } = walkByText(before, sortedByText(modified));
  const items = part === 'deletions' ? [] : inOrder(added, modified, '', 'scalar');
  const deletions = part === 'changes' ? [] : withoutRepeats(removed);
  // Upstream has sorted the original in place by now, so that an unsorted list counts as changed.
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
    const [a, b] = [goText(before ?? null), goText(after ?? null)];
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
