import { isJsonObject, type Json } from '../../meta/index.ts';
import { isJsonArray, member } from '../json-value.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';
import type { ListShape } from './shape.ts';
import { TypedError } from './typed-error.ts';

/** An item of a list whose items are told apart, or why it cannot be. */
export type ItemElement = { readonly element: PathElement } | { readonly problem: string };

/** What tells an item from the others (cf. structured-merge-diff typed listItemToPathElement). */
export function itemElement(list: ListShape, item: Json): ItemElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement({ keys }: ListShape, item: Json): ItemElement {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const values: [string, Json][] = [];
  for (const { name, default: standIn } of keys) {
    const own = member(item, name);
    const value = own === undefined ? standIn : own;
    // An item without one of several keys is another than those with it.
    if (value !== undefined) values.push([name, value]);
  }
  if (values.length > 0) return { element: keyElement(values) };
  const names = keys.map(({ name }) => JSON.stringify(name)).join(' ');
  const omitted = `omits all key fields [${names}] (and doesn't have default values for any key fields)`;
  return { problem: `associative list with keys has an element that ${omitted}` };
}

function setElement(item: Json): ItemElement {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (isJsonArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (isJsonObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  return { element: valueElement(item) };
}

/**
 * A list by what tells its items apart, in order of first sight. An item that appears again makes an entry longer.
 * @throws TypedError for an item that cannot be told apart
 */
export function itemsByElement(list: ListShape, items: readonly Json[]): Map<PathElement, Json[]> {
  const found = new Map<PathElement, Json[]>();
  for (const [index, item] of items.entries()) {
    const one = itemElement(list, item);
    if ('problem' in one) throw new TypedError([{ path: [], message: `element ${index}: ${one.problem}` }]);
    const same = found.get(one.element);
    if (same) same.push(item);
    else found.set(one.element, [item]);
  }
  return found;
}
