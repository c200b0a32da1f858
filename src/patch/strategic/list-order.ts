import { formatGoValue, isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { member } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { noListOfLists, noMergeKey, patchDirective, wrongType } from './directives.ts';

type List = readonly Json[];

/** Item kinds of merging lists: objects with a merge key, or scalars. */
export type ItemKind = 'object' | 'scalar';

/**
 * Returns the common kind of all items.
 * @throws PatchError when the lists are empty, kinds differ, or items are lists
 */
export function itemKind(...lists: readonly List[]): ItemKind {
  let kind: string | undefined;
  for (const item of lists.flat(1)) {
    const own = kindOf(item);
    if (kind === undefined && own === 'list') throw noListOfLists();
    if (kind !== undefined && own !== kind) throw new PatchError('failed', `list element types are not identical: ${formatGoValue(lists)}`);
    kind = own;
  }
  if (kind === undefined) throw new PatchError('failed', 'no elements in any of the given slices');
  return kind === 'object' ? 'object' : 'scalar';
}

function kindOf(item: Json): string {
  if (Array.isArray(item)) return 'list';
  if (item === null) return 'null';
  if (typeof item === 'number') return Number.isInteger(item) ? 'integer' : 'float';
  return typeof item === 'bigint' ? 'integer' : typeof item;
}

/** The identity of an item in a merging list. */
export function itemIdentity(item: Json, mergeKey: string, kind: ItemKind): Json | undefined {
  if (kind === 'scalar') return item;
  return isJsonObject(item) ? member(item, mergeKey) : undefined;
}

/**
 * Merges the patch items, in their order, with the other live items, in their relative order (cf. strategicpatch normalizeElementOrder).
 * `live` is the order of the live list.
 */
export function mergeOrdered(patch: List, others: List, order: { patch: List; live: List }, mergeKey: string, kind: ItemKind): Json[] {
  const left = sortByOrder(others, order.live, mergeKey, kind);
  const right = sortByOrder(patch, order.patch, mergeKey, kind);
  const place = positionsIn(order.live, mergeKey, kind);
  const out: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const a = left[i];
    const b = right[j];
    if (b === undefined || (a !== undefined && before(place(a), place(b)))) {
      if (a !== undefined) out.push(a);
      i++;
    } else {
      out.push(b);
      j++;
    }
  }
  return out;
}

const before = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && a < b;

/** Sorts by position in `order`; items to delete come last (cf. strategicpatch normalizeSliceOrder). */
export function sortByOrder(list: List, order: List, mergeKey: string, kind: ItemKind): Json[] {
  if (kind === 'object') requireMergeKeys([...list, ...order], mergeKey);
  const deletes = kind === 'object' ? list.filter(isDeleteDirective) : [];
  const others = kind === 'object' ? list.filter((item) => !isDeleteDirective(item)) : [...list];
  const place = positionsIn(order, mergeKey, kind);
  return [...insertionSort(others, place), ...deletes];
}

/** Go's stable sort with a comparison that returns "less" for items that are not in the order: they come first, reversed. */
function insertionSort(list: readonly Json[], place: (item: Json) => number | undefined): Json[] {
  const ranked = list.map((item) => ({ item, rank: place(item) }));
  if (ranked.every(({ rank }) => rank !== undefined)) {
    return ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(({ item }) => item);
  }
  const out: typeof ranked = [];
  for (const one of ranked) {
    let at = out.length;
    while (at > 0 && precedes(one.rank, out[at - 1]?.rank)) at--;
    out.splice(at, 0, one);
  }
  return out.map(({ item }) => item);
}

function precedes(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || a < b;
}

function positionsIn(order: List, mergeKey: string, kind: ItemKind): (item: Json) => number | undefined {
  const known = new Map<Json | undefined, number>();
  for (const [index, item] of order.entries()) {
    const id = itemIdentity(item, mergeKey, kind);
    if (!known.has(id)) known.set(id, index);
  }
  return (item) => known.get(itemIdentity(item, mergeKey, kind));
}

function requireMergeKeys(items: List, mergeKey: string): void {
  for (const item of items) {
    if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
    mergeKeyOf(item, mergeKey);
  }
}

/** @throws PatchError when the item lacks its merge key */
export function mergeKeyOf(item: JsonObject, mergeKey: string): Json {
  const value = member(item, mergeKey);
  if (value === undefined) throw noMergeKey(item, mergeKey);
  return value;
}

export function isDeleteDirective(item: Json): boolean {
  if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
  return member(item, patchDirective) === 'delete';
}

/** Splits a list into items that are in `named`, and the others. */
export function partition(list: List, named: List, mergeKey: string): { inside: Json[]; outside: Json[] } {
  const kind: ItemKind = mergeKey === '' ? 'scalar' : 'object';
  if (kind === 'object') requireMergeKeys(list, mergeKey);
  if (kind === 'object' && list.length > 0) requireObjects(named);
  const known = new Set(named.map((item) => itemIdentity(item, mergeKey, kind)));
  const inside: Json[] = [];
  const outside: Json[] = [];
  for (const item of list) (known.has(itemIdentity(item, mergeKey, kind)) ? inside : outside).push(item);
  return { inside, outside };
}

export function requireObjects(list: List): void {
  const index = list.findIndex((item) => !isJsonObject(item));
  if (index >= 0) throw new PatchError('failed', `value for key ${index} is not a map`);
}

/**
 * Removes duplicates. Like upstream, replaces a duplicate with the last item, which determines the order. That takes a pass for each value,
 * so long lists are deduplicated in one pass.
 */
export function deduplicateValues(list: List): Json[] {
  const unique = new Set(list);
  if (unique.size === list.length || list.length > 5_000) return [...unique];
  const out = [...list];
  for (let i = 0; i < out.length - 1; i++) {
    for (let j = i + 1; j < out.length; j++) {
      if (out[i] !== out[j]) continue;
      const last = out.pop();
      if (last !== undefined && j < out.length) out[j] = last;
      j--;
    }
  }
  return out;
}

/** Sorts by text; equal items are reversed, as upstream's sort leaves them. */
export function sortByText(list: List, textOf: (item: Json) => string = formatGoValue): Json[] {
  const texts = list.map((item) => ({ item, text: textOf(item) })).reverse();
  return texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)).map(({ item }) => item);
}
