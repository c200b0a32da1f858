import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import { FieldSet } from './field-set.ts';
import { itemsByElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type ListShape, presentValue, type Shape, type StructShape } from './shape.ts';

/** How two values of one shape differ, field by field. */
export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const noDifference: Difference = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
const modifiedLeaf: Difference = { ...noDifference, modified: FieldSet.leaf };

/**
 * Compares two values (cf. structured-merge-diff TypedValue.Compare). What is new or gone counts with all that is in it, what has
 * changed where it has changed; lists and maps that are atomic or empty are one value.
 */
export function compare(before: Json, after: Json, shape: Shape): Difference {
  return compared(before, after, shape) ?? noDifference;
}

function compared(before: Json | undefined, after: Json | undefined, shape: Shape): Difference | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { ...noDifference, added: whole(after ?? null, shape) };
  if (after === undefined) return { ...noDifference, removed: whole(before, shape) };
  switch (shape.kind) {
    case 'scalar':
      return comparedLeaf(before, after);
    case 'list':
      return shape.atomic ? comparedLeaf(before, after) : comparedLists(before, after, shape);
    case 'struct':
      return shape.atomic || (isEmpty(before) && isEmpty(after))
        ? comparedLeaf(before, after)
        : comparedStructs(asObject(before), asObject(after), shape);
    case 'map':
      return shape.atomic ? comparedLeaf(before, after) : comparedMaps(before, after, () => shape.values);
    case 'untyped':
      return shape.atomic || !(isJsonObject(before) || isJsonObject(after))
        ? comparedLeaf(before, after)
        : comparedMaps(before, after, () => shape);
  }
}

function comparedLeaf(before: Json, after: Json): Difference | undefined {
  return sameJson(before, after) ? undefined : modifiedLeaf;
}

/** null, for an object, or one without members. */
function isEmpty(value: Json): boolean {
  return !isJsonObject(value) || memberNames(value).length === 0;
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Everything in a value that is new or gone, the way to it included. */
function whole(value: Json, shape: Shape): FieldSet {
  if (shape.kind === 'scalar') return FieldSet.leaf;
  if (shape.atomic) return FieldSet.leaf;
  if (shape.kind === 'list') return isJsonArray(value) ? wholeList(value, shape) : FieldSet.leaf;
  if (!isJsonObject(value)) return FieldSet.leaf;
  const children = new Map<PathElement, FieldSet>();
  if (shape.kind === 'struct') addFields(children, value, shape);
  else {
    const values = shape.kind === 'map' ? shape.values : shape;
    for (const name of memberNames(value)) children.set(fieldElement(name), whole(value[name] ?? null, values));
  }
  return FieldSet.of(true, children);
}

function addFields(children: Map<PathElement, FieldSet>, value: JsonObject, { fields }: StructShape): void {
  for (const [name, field] of fields) {
    const part = presentValue(field, member(value, name));
    if (part !== undefined) children.set(field.element, whole(part, field.shape));
  }
}

function wholeList(items: readonly Json[], shape: ListShape): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, [item, ...more]] of itemsByElement(shape, items)) {
    children.set(element, more.length > 0 || item === undefined ? FieldSet.leaf : whole(item, shape.items));
  }
  return FieldSet.of(true, children);
}

/** Differences of the parts, gathered into those of the whole. */
class Gathered {
  readonly #added: Parts = { map: undefined };
  readonly #modified: Parts = { map: undefined };
  readonly #removed: Parts = { map: undefined };

  add(element: PathElement, part: Difference | undefined): void {
    if (!part) return;
    put(this.#added, element, part.added);
    put(this.#modified, element, part.modified);
    put(this.#removed, element, part.removed);
  }

  /** `atItself`: the value as a whole counts as modified too. */
  result(atItself = false): Difference | undefined {
    if (!this.#added.map && !this.#modified.map && !this.#removed.map && !atItself) return undefined;
    return {
      added: FieldSet.of(false, this.#added.map),
      modified: FieldSet.of(atItself, this.#modified.map),
      removed: FieldSet.of(false, this.#removed.map),
    };
  }
}

interface Parts {
  map: Map<PathElement, FieldSet> | undefined;
}

function put(parts: Parts, element: PathElement, set: FieldSet): void {
  if (set.isEmpty) return;
  parts.map ??= new Map();
  parts.map.set(element, set);
}

function comparedStructs(before: JsonObject, after: JsonObject, { fields }: StructShape): Difference | undefined {
  const parts = new Gathered();
  for (const name of Object.keys(after)) {
    const field = fields.get(name);
    if (field) parts.add(field.element, compared(presentValue(field, member(before, name)), presentValue(field, after[name]), field.shape));
  }
  for (const name of Object.keys(before)) {
    const field = Object.hasOwn(after, name) ? undefined : fields.get(name);
    if (field) parts.add(field.element, compared(presentValue(field, before[name]), field.whenAbsent, field.shape));
  }
  return parts.result();
}

function comparedMaps(before: Json, after: Json, valuesOf: () => Shape): Difference | undefined {
  // A scalar that becomes an object, or the other way round, has changed itself, and its members are new or gone.
  const kindChanged = isScalar(before) !== isScalar(after);
  const [left, right] = [asObject(before), asObject(after)];
  const [leftNames, rightNames] = [memberNames(left), memberNames(right)];
  if (leftNames.length === 0 && rightNames.length === 0) return comparedLeaf(before, after);
  const parts = new Gathered();
  const values = valuesOf();
  for (const name of rightNames) parts.add(fieldElement(name), compared(member(left, name), right[name], values));
  for (const name of leftNames) {
    if (member(right, name) === undefined) parts.add(fieldElement(name), compared(left[name], undefined, values));
  }
  return parts.result(kindChanged);
}

function isScalar(value: Json): boolean {
  return value !== null && !isJsonObject(value);
}

function comparedLists(before: Json, after: Json, shape: ListShape): Difference | undefined {
  const [left, right] = [isJsonArray(before) ? before : [], isJsonArray(after) ? after : []];
  if (left.length === 0 && right.length === 0) return comparedLeaf(before, after);
  const parts = new Gathered();
  const [leftItems, rightItems] = [itemsByElement(shape, left), itemsByElement(shape, right)];
  for (const [element, mine] of leftItems) parts.add(element, comparedItems(mine, rightItems.get(element) ?? [], shape));
  for (const [element, theirs] of rightItems) if (!leftItems.has(element)) parts.add(element, comparedItems([], theirs, shape));
  return parts.result();
}

/** Items with one identity: compared one to one, but repeated ones only as a whole. */
function comparedItems(before: readonly Json[], after: readonly Json[], { items }: ListShape): Difference | undefined {
  if (before.length <= 1 && after.length <= 1) return compared(before[0], after[0], items);
  if (before.length >= 2 && after.length >= 2) return sameJson(before, after) ? undefined : modifiedLeaf;
  if (before.length >= 2) {
    return { ...noDifference, added: after[0] === undefined ? FieldSet.empty : whole(after[0], items), removed: FieldSet.leaf };
  }
  return { ...noDifference, removed: before[0] === undefined ? FieldSet.empty : whole(before[0], items), added: FieldSet.leaf };
}
