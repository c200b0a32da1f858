import { formatGoValue, isJsonObject, type Json } from '../../meta/index.ts';
import { isJsonArray, member } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { badSetOrder, patchDirective, setOrderPrefix, wrongType } from './directives.ts';
import { isDeleteDirective, mergeKeyOf } from './list-order.ts';

/**
 * Requires that all items of the patch are in its `$setElementOrder` list, in that order; deletions may be anywhere.
 * @throws PatchError otherwise
 */
export function requireSetOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (!isJsonArray(order)) throw badSetOrder();
  if (order.length === 0 || patch.length === 0) return;
  const items = mergeKey === '' ? patch : patch.filter((item) => !isDeleteDirective(item));
  let next = 0;
  let at = 0;
  while (next < items.length && at < order.length) {
    const item = items[next] ?? null;
    if (isJsonObject(item) && member(item, patchDirective) !== undefined) next++;
    else {
      if (sameItem(item, order[at] ?? null, mergeKey)) next++;
      at++;
    }
  }
  if (next < items.length && at >= order.length) {
    const lists = `The order in patch list:\n${formatGoValue(patch)}\n doesn't match ${setOrderPrefix} list:\n${formatGoValue(order)}\n`;
    throw new PatchError('failed', lists);
  }
}

/** @throws PatchError when an item lacks the merge key or is not an object */
export function sameItem(a: Json, b: Json, mergeKey: string): boolean {
  if (mergeKey === '') return a === b;
  if (!isJsonObject(a)) throw wrongType('map[string]interface {}', a);
  if (!isJsonObject(b)) throw wrongType('map[string]interface {}', b);
  const [left, right] = [mergeKeyOf(a, mergeKey), mergeKeyOf(b, mergeKey)];
  return left === right;
}
