import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { member } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { badDirective, patchDirective, wrongType } from './directives.ts';
import { identity, itemKind, mergeKeyOf, orderedUnion, partition, requireObjects, withoutRepeats } from './list-order.ts';
import type { MergeRule } from './merge-schema.ts';

type List = readonly Json[];
type MergeItem = (before: JsonObject, patch: JsonObject) => JsonObject;

/**
 * A merging list after a patch: values as a set, objects by their merge key; the patch's order wins.
 * `left` is the original as upstream's in-place work leaves it, which takes part in deciding a later order.
 */
export function mergeItems(original: List, patch: List, rule: MergeRule, mergeItem: MergeItem): { list: List; left: List } {
  if (original.length === 0 && patch.length === 0) return { list: original, left: original };
  const kind = itemKind(original, patch);
  if (kind === 'scalar') {
    const { inside, outside } = partition(withoutRepeats([...original, ...patch]), patch, rule.mergeKey);
    return { list: orderedUnion(inside, outside, { patch, live: original }, rule.mergeKey, kind), left: original };
  }
  if (rule.mergeKey === '') throw new PatchError('failed', `cannot merge lists without merge key for type ${goKind(rule)}`);
  const work = new ListInPlace(original, rule.mergeKey);
  const special = takeDirectives(work, patch, rule.mergeKey);
  const live = special.replaces ? special.items : work.items();
  const order = special.replaces ? [] : special.items;
  const merged = special.replaces ? special.items : mergedByKey(work, special.items, rule.mergeKey, mergeItem);
  const { inside, outside } = partition(merged, order, rule.mergeKey);
  const list = orderedUnion(inside, outside, { patch: order, live }, rule.mergeKey, kind);
  return { list, left: work.backing(original.length) };
}

function goKind({ schema }: MergeRule): string {
  return schema?.form === 'list' ? 'slice' : (schema?.form ?? 'interface');
}

/** Items with `$patch` are carried out on the list; the others are returned. */
function takeDirectives(work: ListInPlace, patch: List, mergeKey: string): { items: List; replaces: boolean } {
  const items: Json[] = [];
  const deleted: Json[] = [];
  let replaces = false;
  for (const item of patch) {
    if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
    const directive = member(item, patchDirective);
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') {
      deleted.push(mergeKeyOf(item, mergeKey));
      if (deleted.length === 1) requireObjects(work.items());
    } else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw new PatchError('failed', 'merging lists cannot yet be specified in the patch');
    else throw badDirective(directive, item);
  }
  work.delete(deleted);
  return { items, replaces };
}

function mergedByKey(work: ListInPlace, patch: List, mergeKey: string, mergeItem: MergeItem): List {
  for (const item of patch) {
    if (!isJsonObject(item)) throw wrongType('map[string]interface {}', item);
    const key = mergeKeyOf(item, mergeKey);
    const found = work.find(key);
    if (found) work.put(found.index, mergeItem(found.item, item), key);
    else work.append(item);
  }
  return work.items();
}

/**
 * A list that is changed in place the way Go's slices are: what is deleted closes up, what is appended after a deletion takes
 * the place that became free, so that it is seen through the original list too. Upstream's order of results depends on it.
 */
class ListInPlace {
  readonly #mergeKey: string;
  /** The original's own memory. */
  readonly #memory: Json[];
  /** Where the list is now: the same memory until it outgrows it. */
  #items: Json[];
  #length: number;
  /** Positions by merge key, built when first needed. */
  #index: Map<Json | undefined, number> | undefined;

  constructor(original: List, mergeKey: string) {
    this.#mergeKey = mergeKey;
    this.#memory = [...original];
    this.#items = this.#memory;
    this.#length = original.length;
  }

  items(): List {
    return this.#items.slice(0, this.#length);
  }

  backing(length: number): List {
    return this.#memory.slice(0, length);
  }

  find(key: Json): { index: number; item: JsonObject } | undefined {
    this.#index ??= this.#positions();
    const index = this.#index.get(key);
    const item = index === undefined ? undefined : this.#items[index];
    return index !== undefined && isJsonObject(item) ? { index, item } : undefined;
  }

  put(index: number, item: JsonObject, key: Json): void {
    this.#items[index] = item;
    // A merge may replace or empty the item, and so lose its key.
    if (member(item, this.#mergeKey) !== key) this.#index = undefined;
  }

  append(item: Json): void {
    if (this.#items === this.#memory && this.#length >= this.#memory.length) this.#items = [...this.#memory];
    this.#items[this.#length] = item;
    const key = identity(item, this.#mergeKey, 'object');
    if (this.#index && !this.#index.has(key)) this.#index.set(key, this.#length);
    this.#length++;
  }

  /** Deletes the items of the keys, as if one after the other: each deletion leaves the item that was last behind the list's end. */
  delete(keys: readonly Json[]): void {
    if (keys.length === 0) return;
    const live = this.items();
    const removed = new Array<boolean>(live.length).fill(false);
    const positions = this.#positionsOfEach(keys);
    let last = live.length - 1;
    for (const key of new Set(keys)) {
      for (const position of positions.get(key) ?? []) {
        this.#items[--this.#length] = live[last] as Json;
        removed[position] = true;
        while (removed[last]) last--;
      }
    }
    for (const [at, item] of live.filter((_, position) => !removed[position]).entries()) this.#items[at] = item;
    this.#index = undefined;
  }

  #positionsOfEach(keys: readonly Json[]): ReadonlyMap<Json | undefined, readonly number[]> {
    const positions = new Map<Json | undefined, number[]>(keys.map((key) => [key, []]));
    for (const [position, item] of this.items().entries()) positions.get(identity(item, this.#mergeKey, 'object'))?.push(position);
    return positions;
  }

  #positions(): Map<Json | undefined, number> {
    const list = this.items();
    requireObjects(list);
    const index = new Map<Json | undefined, number>();
    for (const [position, item] of list.entries()) {
      const key = identity(item, this.#mergeKey, 'object');
      if (key !== undefined && !index.has(key)) index.set(key, position);
    }
    return index;
  }
}
