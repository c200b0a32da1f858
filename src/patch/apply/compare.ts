import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import { FieldSet } from './field-set.ts';
import { itemsByElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type FieldShape, fieldOf, type ListShape, presentValue, type Shape, type StructShape } from './shape.ts';

/** How two values of one shape differ, field by field. */
export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const noDifference: Difference = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
const modifiedLeaf: Difference = { ...noDifference, modified: FieldSet.leaf };

/**
 * What the second value is: `stored` like the first, or the first with something `merged` into it or taken out, where what is
 * absent or zero was so on purpose.
 */
export type AfterKind = 'stored' | 'merged';

/**
 * Compares two values (cf. structured-merge-diff TypedValue.Compare). What is new or gone counts with all that is in it, what has
 * changed where it has changed; lists and maps that are atomic or empty are one value.
 */
export function compare(before: Json, after: Json, shape: Shape, afterKind: AfterKind): Difference {
  return new Comparison(afterKind).compared(before, after, shape) ?? noDifference;
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
function whole(value: Json, shape: Shape, kind: AfterKind): FieldSet {
  if (shape.kind === 'scalar') return FieldSet.leaf;
  if (shape.atomic) return FieldSet.leaf;
  if (shape.kind === 'list') return isJsonArray(value) ? wholeList(value, shape, kind) : FieldSet.leaf;
  if (!isJsonObject(value)) return FieldSet.leaf;
  const children = new Map<PathElement, FieldSet>();
  if (shape.kind === 'struct') addFields(children, value, shape, kind);
  else {
    const values = shape.kind === 'map' ? shape.values : shape;
    let last = FieldSet.leaf;
    for (const name of memberNames(value)) {
      last = values.kind === 'scalar' ? FieldSet.leaf : whole(value[name] ?? null, values, kind).sharing(last);
      children.set(fieldElement(name), last);
    }
  }
  return FieldSet.of(true, children);
}

function addFields(children: Map<PathElement, FieldSet>, value: JsonObject, { fields, others }: StructShape, kind: AfterKind): void {
  if (others) {
    for (const name of memberNames(value)) {
      if (!fields.has(name)) children.set(fieldElement(name), whole(value[name] ?? null, others, kind));
    }
  }
  for (const [name, field] of fields) {
    const own = member(value, name);
    const part = kind === 'stored' ? presentValue(field, own) : own;
    if (part !== undefined) children.set(field.element, whole(part, field.shape, kind));
  }
}

function wholeList(items: readonly Json[], shape: ListShape, kind: AfterKind): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const [element, same] of itemsByElement(shape, items)) {
    const [item] = same;
    last = same.length > 1 || item === undefined ? FieldSet.leaf : whole(item, shape.items, kind).sharing(last);
    children.set(element, last);
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

class Comparison {
  readonly #after: AfterKind;

  constructor(after: AfterKind) {
    this.#after = after;
  }

  compared(before: Json | undefined, after: Json | undefined, shape: Shape): Difference | undefined {
    if (before === after) return undefined;
    if (before === undefined) return { ...noDifference, added: whole(after ?? null, shape, this.#after) };
    if (after === undefined) return { ...noDifference, removed: whole(before, shape, 'stored') };
    switch (shape.kind) {
      case 'scalar':
        return comparedLeaf(before, after);
      case 'list':
        return shape.atomic ? comparedLeaf(before, after) : this.#lists(before, after, shape);
      case 'struct':
        if (shape.atomic || (isEmpty(before) && isEmpty(after))) return comparedLeaf(before, after);
        return this.#structs(asObject(before), asObject(after), shape);
      case 'map':
        return shape.atomic ? comparedLeaf(before, after) : this.#maps(before, after, shape.values);
      case 'untyped':
        return shape.atomic || !(isJsonObject(before) || isJsonObject(after))
          ? comparedLeaf(before, after)
          : this.#maps(before, after, shape);
    }
  }

  #structs(before: JsonObject, after: JsonObject, shape: StructShape): Difference | undefined {
    const parts = new Gathered();
    for (const name of Object.keys(after)) {
      const field = fieldOf(shape, name);
      if (field) parts.add(field.element, this.#fields(field, member(before, name), after[name]));
    }
    for (const name of Object.keys(before)) {
      const field = Object.hasOwn(after, name) ? undefined : fieldOf(shape, name);
      if (field) parts.add(field.element, this.#fields(field, before[name], undefined));
    }
    return parts.result();
  }

  #fields(field: FieldShape, before: Json | undefined, after: Json | undefined): Difference | undefined {
    if (before === after) return undefined;
    const there = this.#after === 'stored' ? presentValue(field, after) : after;
    return this.compared(presentValue(field, before), there, field.shape);
  }

  #maps(before: Json, after: Json, values: Shape): Difference | undefined {
    // A scalar that becomes an object, or the other way round, has changed itself, and its members are new or gone.
    const kindChanged = isScalar(before) !== isScalar(after);
    const [left, right] = [asObject(before), asObject(after)];
    const [leftNames, rightNames] = [memberNames(left), memberNames(right)];
    if (leftNames.length === 0 && rightNames.length === 0) return comparedLeaf(before, after);
    const parts = new Gathered();
    for (const name of rightNames) parts.add(fieldElement(name), this.compared(member(left, name), right[name], values));
    for (const name of leftNames) {
      if (member(right, name) === undefined) parts.add(fieldElement(name), this.compared(left[name], undefined, values));
    }
    return parts.result(kindChanged);
  }

  #lists(before: Json, after: Json, shape: ListShape): Difference | undefined {
    const [left, right] = [isJsonArray(before) ? before : [], isJsonArray(after) ? after : []];
    if (left.length === 0 && right.length === 0) return comparedLeaf(before, after);
    const parts = new Gathered();
    const [leftItems, rightItems] = [itemsByElement(shape, left), itemsByElement(shape, right)];
    for (const [element, mine] of leftItems) parts.add(element, this.#items(mine, rightItems.get(element) ?? [], shape));
    for (const [element, theirs] of rightItems) if (!leftItems.has(element)) parts.add(element, this.#items([], theirs, shape));
    return parts.result();
  }

  /** Items with one identity: compared one to one, but repeated ones only as a whole. */
  #items(before: readonly Json[], after: readonly Json[], { items }: ListShape): Difference | undefined {
    if (before.length <= 1 && after.length <= 1) return this.compared(before[0], after[0], items);
    if (before.length >= 2 && after.length >= 2) return sameJson(before, after) ? undefined : modifiedLeaf;
    const [old, now] = [before[0], after[0]];
    if (before.length >= 2) {
      return { ...noDifference, added: now === undefined ? FieldSet.empty : whole(now, items, this.#after), removed: FieldSet.leaf };
    }
    return { ...noDifference, removed: old === undefined ? FieldSet.empty : whole(old, items, 'stored'), added: FieldSet.leaf };
  }
}

function isScalar(value: Json): boolean {
  return value !== null && !isJsonObject(value);
}
