import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { member } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { badDirective, patchDirective, wrongType } from './directives.ts';
import { deduplicateValues, itemIdentity, itemKind, mergeKeyOf, mergeOrdered, partition, requireObjects } from './list-order.ts';
import type { MergeRule } from './merge-schema.ts';

type List = readonly Json[];
type MergeItem = (before: JsonObject, patch: JsonObject) => JsonObject;

/**
 * Merges a patch into a merging list: scalars as a set, objects by merge key; the patch's order wins. `left` is the original as modified by
 * upstream's in-place operations, which affects a later ordering.
 */
export function mergeItems(original: List, patch: List, rule: MergeRule, mergeItem: MergeItem): { list: List; left: List } {
  if (original.length === 0 && patch.length === 0) return { list: original, left: original };
  const kind = itemKind(original, patch);
  if (kind === 'scalar') {
    const { inside, outside } = partition(deduplicateValues([...original, ...patch]), patch, rule.mergeKey);
    return { list: mergeOrdered(inside, outside, { patch, live: original }, rule.mergeKey, kind), left: original };
  }
  if (rule.mergeKey === '') throw new PatchError('failed', `cannot merge lists without merge key for type ${goKind(rule)}`);
  const work = new SliceList(original, rule.mergeKey);
  const special = executeDirectives(work, patch, rule.mergeKey);
  const live = special.replaces ? special.items : work.items();
  const order = special.replaces ? [] : special.items;
  const merged = special.replaces ? special.items : mergeByKey(work, special.items, rule.mergeKey, mergeItem);
  const { inside, outside } = partition(merged, order, rule.mergeKey);
  const list = mergeOrdered(inside, outside, { patch: order, live }, rule.mergeKey, kind);
  return { list, left: work.backing(original.length) };
}

function goKind({ schema }: MergeRule): string {
  return schema?.form === 'list' ? 'slice' : (schema?.form ?? 'interface');
}

/** Executes items with `$patch` on the list; returns the other items. */
function executeDirectives(work: SliceList, patch: List, mergeKey: string): { items: List; replaces: boolean } {
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

function mergeByKey(work: SliceList, patch: List, mergeKey: string, mergeItem: MergeItem): List {
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
 * A list with the aliasing of Go slices: a deletion moves later items up, and an append after a deletion writes into the freed slot of the
 * original. The order of upstream's results depends on it.
 */
class SliceList {
  readonly #mergeKey: string;
  /** The original's backing array. */
  readonly #memory: Json[];
  /** The current backing array: that of the original until the list outgrows it. */
  #items: Json[];
  #length: number;
  /** Positions by merge key, created on demand. */
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
    // A merge may replace or empty the item, and thereby drop its key.
    if (member(item, this.#mergeKey) !== key) this.#index = undefined;
  }

  append(item: Json): void {
    if (this.#items === this.#memory && this.#length >= this.#memory.length) this.#items = [...this.#memory];
    this.#items[this.#length] = item;
    const key = itemIdentity(item, this.#mergeKey, 'object');
    if (this.#index && !this.#index.has(key)) this.#index.set(key, this.#length);
    this.#length++;
  }

  /** Deletes the items with these keys, as if one after the other: each deletion leaves the then last item after the end of the list. */
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
    for (const [position, item] of this.items().entries()) positions.get(itemIdentity(item, this.#mergeKey, 'object'))?.push(position);
    return positions;
  }

  #positions(): Map<Json | undefined, number> {
    const list = this.items();
    requireObjects(list);
    const index = new Map<Json | undefined, number>();
    for (const [position, item] of list.entries()) {
      const key = itemIdentity(item, this.#mergeKey, 'object');
      if (key !== undefined && !index.has(key)) index.set(key, position);
    }
    return index;
  }
}
