import { isJsonObject, itemsPerStep, type Json, type JsonObject, type Steps } from '../../../meta/index.ts';
import { isJsonArray, member } from '../../json-value.ts';
import { keyElement, type PathElement, valueElement } from '../fieldpath/path-element.ts';
import type { ListShape } from './shape.ts';
import { TypedError } from './typed-error.ts';

/** The path element of an item in an associative list, or why it has none. */
export type ItemElement = { readonly element: PathElement } | { readonly problem: string };

/** Returns the path element of an item (cf. structured-merge-diff typed listItemToPathElement). */
export function itemElement(list: ListShape, item: Json): ItemElement {
  const problem = itemProblem(list, item);
  if (problem !== undefined) return { problem };
  return { element: list.keys.length > 0 ? keyElement(keyValues(list, item as JsonObject)) : valueElement(item) };
}

/** Why an item has no identity in its list; undefined when it has one. */
export function itemProblem(list: ListShape, item: Json): string | undefined {
  return list.keys.length > 0 ? keyedProblem(list, item) : setProblem(item);
}

function keyedProblem({ keys }: ListShape, item: Json): string | undefined {
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements';
  for (const { name, default: standIn } of keys) if (standIn !== undefined || member(item, name) !== undefined) return undefined;
  const names = keys.map(({ name }) => JSON.stringify(name)).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

function keyValues({ keys }: ListShape, item: JsonObject): readonly (readonly [string, Json])[] {
  const values: [string, Json][] = [];
  for (const { name, default: standIn } of keys) {
    const own = member(item, name);
    const value = own === undefined ? standIn : own;
    // An item without one of several keys differs from items with it.
    if (value !== undefined) values.push([name, value]);
  }
  return values;
}

function setProblem(item: Json): string | undefined {
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (isJsonArray(item)) return 'not supported: associative list with lists as elements';
  if (isJsonObject(item)) return "associative list without keys has an element that's a map type";
  return undefined;
}

/** @throws TypedError for an item without identity */
export function requiredElement(list: ListShape, item: Json, index: number): PathElement {
  const one = itemElement(list, item);
  if ('problem' in one) throw new TypedError([{ path: [], message: `element ${index}: ${one.problem}` }]);
  return one.element;
}

/**
 * Groups the items of a list by path element, in order of first occurrence; duplicates share an entry.
 * @throws TypedError for an item without identity
 */
export function* itemsByElement(list: ListShape, items: readonly Json[]): Steps<Map<PathElement, Json[]>> {
  const found = new Map<PathElement, Json[]>();
  for (const [index, item] of items.entries()) {
    if (index % itemsPerStep === 0 && index > 0) yield;
    const element = requiredElement(list, item, index);
    const same = found.get(element);
    if (same) same.push(item);
    else found.set(element, [item]);
  }
  return found;
}
