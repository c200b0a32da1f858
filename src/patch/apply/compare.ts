import { isJsonObject, itemsInStep, type Json, type JsonObject, type Recursion, type Steps, stepsOf } from '../../meta/index.ts';
import { isJsonArray, member, memberNames, sameJson } from '../json-value.ts';
import { FieldSet } from './field-set.ts';
import { itemsByElement, requiredElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type FieldShape, fieldOf, type ListShape, presentValue, type Shape, type StructShape } from './shape.ts';

/** How two values of one shape differ, field by field. */
export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export const noDifference: Difference = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
const addedLeaf: Difference = { ...noDifference, added: FieldSet.leaf };
const modifiedLeaf: Difference = { ...noDifference, modified: FieldSet.leaf };
const removedLeaf: Difference = { ...noDifference, removed: FieldSet.leaf };

/**
 * What the second value is: `stored` like the first, or the first with something `merged` into it or taken out, where what is
 * absent or zero was so on purpose.
 */
export type AfterKind = 'stored' | 'merged';

/**
 * Compares two values (cf. structured-merge-diff TypedValue.Compare). What is new or gone counts with all that is in it, what has
 * changed where it has changed; lists and maps that are atomic or empty are one value.
 */
export function* compare(before: Json, after: Json, shape: Shape, afterKind: AfterKind): Steps<Difference> {
  const comparison = new Comparison(afterKind);
  return comparison.atOnce(before, after, shape) ?? (yield* stepsOf(comparison.walk(before, after, shape)));
}

function comparedLeaf(before: Json, after: Json): Difference {
  return sameJson(before, after) ? noDifference : modifiedLeaf;
}

/** null, for an object, or one without members. */
function isEmpty(value: Json): boolean {
  return !isJsonObject(value) || memberNames(value).length === 0;
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether the path to a value ends there, whatever is in it. */
function isOneField(value: Json, shape: Shape): boolean {
  if (typeof value !== 'object' || value === null || shape.kind === 'scalar' || shape.atomic) return true;
  return isJsonArray(value) ? shape.kind !== 'list' : shape.kind === 'list';
}

/** All fields of a value that was added or removed, its own path included; not for a value that is a single field. */
function whole(value: Json, shape: Shape, kind: AfterKind): Recursion<FieldSet> {
  if (shape.kind === 'list') return wholeList(isJsonArray(value) ? value : [], shape, kind);
  if (shape.kind === 'struct') return wholeStruct(asObject(value), shape, kind);
  return wholeMap(asObject(value), shape.kind === 'map' ? shape.values : shape, kind);
}

function* wholeMap(value: JsonObject, values: Shape, kind: AfterKind): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const name of memberNames(value)) {
    const part = value[name] ?? null;
    last = isOneField(part, values) ? FieldSet.leaf : (yield whole(part, values, kind)).sharing(last);
    children.set(fieldElement(name), last);
    if (children.size % itemsInStep === 0) yield;
  }
  return FieldSet.of(true, children);
}

function* wholeStruct(value: JsonObject, { fields, others }: StructShape, kind: AfterKind): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const name of others ? memberNames(value) : []) {
    const part = value[name] ?? null;
    if (!others || fields.has(name)) continue;
    children.set(fieldElement(name), isOneField(part, others) ? FieldSet.leaf : yield whole(part, others, kind));
    if (children.size % itemsInStep === 0) yield;
  }
  let count = 0;
  for (const [name, field] of fields) {
    if (++count % itemsInStep === 0) yield;
    const own = member(value, name);
    const part = kind === 'stored' ? presentValue(field, own) : own;
    if (part === undefined) continue;
    children.set(field.element, isOneField(part, field.shape) ? FieldSet.leaf : yield whole(part, field.shape, kind));
  }
  return FieldSet.of(true, children);
}

/** Items that stand there twice count as one, whatever is in them. */
function* wholeList(items: readonly Json[], shape: ListShape, kind: AfterKind): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const [index, item] of items.entries()) {
    if (index % itemsInStep === itemsInStep - 1) yield;
    const element = requiredElement(shape, item, index);
    if (isOneField(item, shape.items) || children.has(element)) last = FieldSet.leaf;
    else last = (yield whole(item, shape.items, kind)).sharing(last);
    children.set(element, last);
  }
  return FieldSet.of(true, children);
}

/** Differences of the parts, gathered into those of the whole. */
class Gathered {
  readonly #added: Parts = { map: undefined };
  readonly #modified: Parts = { map: undefined };
  readonly #removed: Parts = { map: undefined };

  add(element: PathElement, part: Difference): void {
    if (part === noDifference) return;
    put(this.#added, element, part.added);
    put(this.#modified, element, part.modified);
    put(this.#removed, element, part.removed);
  }

  /** `atItself`: the value as a whole counts as modified too. */
  result(atItself = false): Difference {
    if (!this.#added.map && !this.#modified.map && !this.#removed.map && !atItself) return noDifference;
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

  /** The difference of two values that need not be walked through; undefined for others. */
  atOnce(before: Json | undefined, after: Json | undefined, shape: Shape): Difference | undefined {
    if (before === after) return noDifference;
    if (before === undefined) return isOneField(after ?? null, shape) ? addedLeaf : undefined;
    if (after === undefined) return isOneField(before, shape) ? removedLeaf : undefined;
    return isComparedAsOne(before, after, shape) ? comparedLeaf(before, after) : undefined;
  }

  walk(before: Json | undefined, after: Json | undefined, shape: Shape): Recursion<Difference> {
    if (before === undefined) return this.#added(after ?? null, shape);
    if (after === undefined) return this.#removed(before, shape);
    if (shape.kind === 'list') return this.#lists(before, after, shape);
    if (shape.kind === 'struct') return this.#structs(asObject(before), asObject(after), shape);
    return this.#maps(before, after, shape.kind === 'map' ? shape.values : shape);
  }

  // The names of a large map alone take a step, which begins here.
  *#added(value: Json, shape: Shape): Recursion<Difference> {
    yield;
    return { ...noDifference, added: yield* stepsOf(whole(value, shape, this.#after)) };
  }

  *#removed(value: Json, shape: Shape): Recursion<Difference> {
    yield;
    return { ...noDifference, removed: yield* stepsOf(whole(value, shape, 'stored')) };
  }

  *#structs(before: JsonObject, after: JsonObject, shape: StructShape): Recursion<Difference> {
    const parts = new Gathered();
    let count = 0;
    for (const name of Object.keys(after)) {
      if (++count % itemsInStep === 0) yield;
      const field = fieldOf(shape, name);
      if (!field) continue;
      const [old, now] = this.#present(field, member(before, name), after[name]);
      parts.add(field.element, this.atOnce(old, now, field.shape) ?? (yield this.walk(old, now, field.shape)));
    }
    for (const name of Object.keys(before)) {
      if (++count % itemsInStep === 0) yield;
      const field = Object.hasOwn(after, name) ? undefined : fieldOf(shape, name);
      if (!field) continue;
      const [old, now] = this.#present(field, before[name], undefined);
      parts.add(field.element, this.atOnce(old, now, field.shape) ?? (yield this.walk(old, now, field.shape)));
    }
    return parts.result();
  }

  #present(field: FieldShape, before: Json | undefined, after: Json | undefined): readonly [Json | undefined, Json | undefined] {
    if (before === after) return [before, after];
    return [presentValue(field, before), this.#after === 'stored' ? presentValue(field, after) : after];
  }

  *#maps(before: Json, after: Json, values: Shape): Recursion<Difference> {
    // A scalar that becomes an object, or the other way round, has changed itself, and its members are new or gone.
    const kindChanged = isScalar(before) !== isScalar(after);
    const [left, right] = [asObject(before), asObject(after)];
    const leftNames = memberNames(left);
    if (leftNames.length > itemsInStep) yield;
    const rightNames = memberNames(right);
    if (rightNames.length > itemsInStep) yield;
    if (leftNames.length === 0 && rightNames.length === 0) return comparedLeaf(before, after);
    const parts = new Gathered();
    let count = 0;
    for (const name of rightNames) {
      if (++count % itemsInStep === 0) yield;
      const [old, now] = [member(left, name), right[name]];
      parts.add(fieldElement(name), this.atOnce(old, now, values) ?? (yield this.walk(old, now, values)));
    }
    for (const name of leftNames) {
      if (++count % itemsInStep === 0) yield;
      if (member(right, name) !== undefined) continue;
      parts.add(fieldElement(name), this.atOnce(left[name], undefined, values) ?? (yield this.walk(left[name], undefined, values)));
    }
    return parts.result(kindChanged);
  }

  *#lists(before: Json, after: Json, shape: ListShape): Recursion<Difference> {
    const [left, right] = [isJsonArray(before) ? before : [], isJsonArray(after) ? after : []];
    if (left.length === 0 && right.length === 0) return comparedLeaf(before, after);
    const parts = new Gathered();
    const leftItems = yield* itemsByElement(shape, left);
    const rightItems = yield* itemsByElement(shape, right);
    let count = 0;
    for (const [element, mine] of leftItems) {
      if (++count % itemsInStep === 0) yield;
      const theirs = rightItems.get(element) ?? noItems;
      parts.add(element, this.#itemsAtOnce(mine, theirs, shape) ?? (yield this.#items(mine, theirs, shape)));
    }
    for (const [element, theirs] of rightItems) {
      if (++count % itemsInStep === 0) yield;
      if (!leftItems.has(element))
        parts.add(element, this.#itemsAtOnce(noItems, theirs, shape) ?? (yield this.#items(noItems, theirs, shape)));
    }
    return parts.result();
  }

  #itemsAtOnce(before: readonly Json[], after: readonly Json[], { items }: ListShape): Difference | undefined {
    if (before.length <= 1 && after.length <= 1) return this.atOnce(before[0], after[0], items);
    return before.length >= 2 && after.length >= 2 ? comparedLeaf(before, after) : undefined;
  }

  /** Items with one identity: compared one to one, but repeated ones only as a whole. */
  *#items(before: readonly Json[], after: readonly Json[], { items }: ListShape): Recursion<Difference> {
    const [old, now] = [before[0], after[0]];
    if (before.length >= 2) {
      const added = this.atOnce(undefined, now, items) ?? (yield this.walk(undefined, now, items));
      return { ...added, removed: FieldSet.leaf };
    }
    if (after.length >= 2) {
      const removed = this.atOnce(old, undefined, items) ?? (yield this.walk(old, undefined, items));
      return { ...removed, added: FieldSet.leaf };
    }
    return yield this.walk(old, now, items);
  }
}

const noItems: readonly Json[] = [];

/** Whether two values are equal or different as a whole. */
function isComparedAsOne(before: Json, after: Json, shape: Shape): boolean {
  switch (shape.kind) {
    case 'scalar':
      return true;
    case 'struct':
      return shape.atomic || (isEmpty(before) && isEmpty(after));
    case 'untyped':
      return shape.atomic || !(isJsonObject(before) || isJsonObject(after));
    default:
      return shape.atomic;
  }
}

function isScalar(value: Json): boolean {
  return value !== null && !isJsonObject(value);
}
