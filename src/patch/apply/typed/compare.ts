import { isJsonObject, itemsPerStep, type Json, type JsonObject, type Recursion, type Steps, stepsOf } from '../../../meta/index.ts';
import { isJsonArray, member, memberNames, sameJson } from '../../json-value.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { itemsByElement, requiredElement } from './list-item.ts';
import { type FieldShape, fieldOf, type ListShape, presentValue, type Shape, type StructShape } from './shape.ts';

/** The fields that differ between two values of one shape. */
export interface Difference {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const noDifference: Difference = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };
const addedLeaf: Difference = { ...noDifference, added: FieldSet.leaf };
const modifiedLeaf: Difference = { ...noDifference, modified: FieldSet.leaf };
const removedLeaf: Difference = { ...noDifference, removed: FieldSet.leaf };

/**
 * Kind of the second value: `stored` like the first one, or the first one after a merge or removal (`merged`), where absent and zero values
 * are intentional.
 */
export type AfterKind = 'stored' | 'merged';

/**
 * Compares two values (cf. structured-merge-diff TypedValue.Compare). Added and removed values count with all their fields; modified values
 * only with the fields that changed. Atomic or empty lists and maps are one value.
 */
export function* compare(before: Json, after: Json, shape: Shape, afterKind: AfterKind): Steps<Difference> {
  const comparison = new Comparison(afterKind);
  return comparison.compareLeaf(before, after, shape) ?? (yield* stepsOf(comparison.walk(before, after, shape)));
}

function leafDifference(before: Json, after: Json): Difference {
  return sameJson(before, after) ? noDifference : modifiedLeaf;
}

/** Returns true for null and for objects without members. */
function isEmpty(value: Json): boolean {
  return !isJsonObject(value) || memberNames(value).length === 0;
}

function asObject(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether a value is a single field: its path has no paths below it. */
function isOneField(value: Json, shape: Shape): boolean {
  if (typeof value !== 'object' || value === null || shape.kind === 'scalar' || shape.atomic) return true;
  return isJsonArray(value) ? shape.kind !== 'list' : shape.kind === 'list';
}

/** All fields of an added or removed value, including its own path; not for a value that is a single field. */
function allFields(value: Json, shape: Shape, kind: AfterKind): Recursion<FieldSet> {
  if (shape.kind === 'list') return allListFields(isJsonArray(value) ? value : [], shape, kind);
  if (shape.kind === 'struct') return allStructFields(asObject(value), shape, kind);
  return allMapFields(asObject(value), shape.kind === 'map' ? shape.values : shape, kind);
}

function* allMapFields(value: JsonObject, values: Shape, kind: AfterKind): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const name of memberNames(value)) {
    const part = value[name] ?? null;
    last = isOneField(part, values) ? FieldSet.leaf : (yield allFields(part, values, kind)).sharedWith(last);
    children.set(fieldElement(name), last);
    if (children.size % itemsPerStep === 0) yield;
  }
  return FieldSet.of(true, children);
}

function* allStructFields(value: JsonObject, { fields, others }: StructShape, kind: AfterKind): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  for (const name of others ? memberNames(value) : []) {
    const part = value[name] ?? null;
    if (!others || fields.has(name)) continue;
    children.set(fieldElement(name), isOneField(part, others) ? FieldSet.leaf : yield allFields(part, others, kind));
    if (children.size % itemsPerStep === 0) yield;
  }
  let count = 0;
  for (const [name, field] of fields) {
    if (++count % itemsPerStep === 0) yield;
    const own = member(value, name);
    const part = kind === 'stored' ? presentValue(field, own) : own;
    if (part === undefined) continue;
    children.set(field.element, isOneField(part, field.shape) ? FieldSet.leaf : yield allFields(part, field.shape, kind));
  }
  return FieldSet.of(true, children);
}

/** Duplicate items count as one field, without their content. */
function* allListFields(items: readonly Json[], shape: ListShape, kind: AfterKind): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const [index, item] of items.entries()) {
    if (index % itemsPerStep === itemsPerStep - 1) yield;
    const element = requiredElement(shape, item, index);
    if (isOneField(item, shape.items) || children.has(element)) last = FieldSet.leaf;
    else last = (yield allFields(item, shape.items, kind)).sharedWith(last);
    children.set(element, last);
  }
  return FieldSet.of(true, children);
}

/** Collects the differences of the parts of a value. */
class DifferenceBuilder {
  readonly #added: FieldSetBuilder = { map: undefined };
  readonly #modified: FieldSetBuilder = { map: undefined };
  readonly #removed: FieldSetBuilder = { map: undefined };

  add(element: PathElement, part: Difference): void {
    if (part === noDifference) return;
    addFieldSet(this.#added, element, part.added);
    addFieldSet(this.#modified, element, part.modified);
    addFieldSet(this.#removed, element, part.removed);
  }

  /** `atItself`: also reports the value itself as modified. */
  build(atItself = false): Difference {
    if (!this.#added.map && !this.#modified.map && !this.#removed.map && !atItself) return noDifference;
    return {
      added: FieldSet.of(false, this.#added.map),
      modified: FieldSet.of(atItself, this.#modified.map),
      removed: FieldSet.of(false, this.#removed.map),
    };
  }
}

interface FieldSetBuilder {
  map: Map<PathElement, FieldSet> | undefined;
}

function addFieldSet(parts: FieldSetBuilder, element: PathElement, set: FieldSet): void {
  if (set.isEmpty) return;
  parts.map ??= new Map();
  parts.map.set(element, set);
}

class Comparison {
  readonly #after: AfterKind;

  constructor(after: AfterKind) {
    this.#after = after;
  }

  /** Returns the difference of two values that need no walk; undefined for others. */
  compareLeaf(before: Json | undefined, after: Json | undefined, shape: Shape): Difference | undefined {
    if (before === after) return noDifference;
    if (before === undefined) return isOneField(after ?? null, shape) ? addedLeaf : undefined;
    if (after === undefined) return isOneField(before, shape) ? removedLeaf : undefined;
    return isComparedAsWhole(before, after, shape) ? leafDifference(before, after) : undefined;
  }

  walk(before: Json | undefined, after: Json | undefined, shape: Shape): Recursion<Difference> {
    if (before === undefined) return this.#added(after ?? null, shape);
    if (after === undefined) return this.#removed(before, shape);
    if (shape.kind === 'list') return this.#compareLists(before, after, shape);
    if (shape.kind === 'struct') return this.#compareStructs(asObject(before), asObject(after), shape);
    return this.#compareMaps(before, after, shape.kind === 'map' ? shape.values : shape);
  }

  // The names of a large map take a step of their own, which starts here.
  *#added(value: Json, shape: Shape): Recursion<Difference> {
    yield;
    return { ...noDifference, added: yield* stepsOf(allFields(value, shape, this.#after)) };
  }

  *#removed(value: Json, shape: Shape): Recursion<Difference> {
    yield;
    return { ...noDifference, removed: yield* stepsOf(allFields(value, shape, 'stored')) };
  }

  *#compareStructs(before: JsonObject, after: JsonObject, shape: StructShape): Recursion<Difference> {
    const parts = new DifferenceBuilder();
    let count = 0;
    for (const name of Object.keys(after)) {
      if (++count % itemsPerStep === 0) yield;
      const field = fieldOf(shape, name);
      if (!field) continue;
      const [old, now] = this.#presentValues(field, member(before, name), after[name]);
      parts.add(field.element, this.compareLeaf(old, now, field.shape) ?? (yield this.walk(old, now, field.shape)));
    }
    for (const name of Object.keys(before)) {
      if (++count % itemsPerStep === 0) yield;
      const field = Object.hasOwn(after, name) ? undefined : fieldOf(shape, name);
      if (!field) continue;
      const [old, now] = this.#presentValues(field, before[name], undefined);
      parts.add(field.element, this.compareLeaf(old, now, field.shape) ?? (yield this.walk(old, now, field.shape)));
    }
    return parts.build();
  }

  #presentValues(field: FieldShape, before: Json | undefined, after: Json | undefined): readonly [Json | undefined, Json | undefined] {
    if (before === after) return [before, after];
    return [presentValue(field, before), this.#after === 'stored' ? presentValue(field, after) : after];
  }

  *#compareMaps(before: Json, after: Json, values: Shape): Recursion<Difference> {
    // A scalar that becomes an object, or vice versa, is modified itself; its members are added or removed.
    const kindChanged = isScalar(before) !== isScalar(after);
    const [left, right] = [asObject(before), asObject(after)];
    const leftNames = memberNames(left);
    if (leftNames.length > itemsPerStep) yield;
    const rightNames = memberNames(right);
    if (rightNames.length > itemsPerStep) yield;
    if (leftNames.length === 0 && rightNames.length === 0) return leafDifference(before, after);
    const parts = new DifferenceBuilder();
    let count = 0;
    for (const name of rightNames) {
      if (++count % itemsPerStep === 0) yield;
      const [old, now] = [member(left, name), right[name]];
      parts.add(fieldElement(name), this.compareLeaf(old, now, values) ?? (yield this.walk(old, now, values)));
    }
    for (const name of leftNames) {
      if (++count % itemsPerStep === 0) yield;
      if (member(right, name) !== undefined) continue;
      parts.add(fieldElement(name), this.compareLeaf(left[name], undefined, values) ?? (yield this.walk(left[name], undefined, values)));
    }
    return parts.build(kindChanged);
  }

  *#compareLists(before: Json, after: Json, shape: ListShape): Recursion<Difference> {
    const [left, right] = [isJsonArray(before) ? before : [], isJsonArray(after) ? after : []];
    if (left.length === 0 && right.length === 0) return leafDifference(before, after);
    const parts = new DifferenceBuilder();
    const leftItems = yield* itemsByElement(shape, left);
    const rightItems = yield* itemsByElement(shape, right);
    let count = 0;
    for (const [element, mine] of leftItems) {
      if (++count % itemsPerStep === 0) yield;
      const theirs = rightItems.get(element) ?? noItems;
      parts.add(element, this.#compareItemLeaves(mine, theirs, shape) ?? (yield this.#compareItems(mine, theirs, shape)));
    }
    for (const [element, theirs] of rightItems) {
      if (++count % itemsPerStep === 0) yield;
      if (!leftItems.has(element))
        parts.add(element, this.#compareItemLeaves(noItems, theirs, shape) ?? (yield this.#compareItems(noItems, theirs, shape)));
    }
    return parts.build();
  }

  #compareItemLeaves(before: readonly Json[], after: readonly Json[], { items }: ListShape): Difference | undefined {
    if (before.length <= 1 && after.length <= 1) return this.compareLeaf(before[0], after[0], items);
    return before.length >= 2 && after.length >= 2 ? leafDifference(before, after) : undefined;
  }

  /** Items with the same identity are compared one to one, duplicates only as a whole. */
  *#compareItems(before: readonly Json[], after: readonly Json[], { items }: ListShape): Recursion<Difference> {
    const [old, now] = [before[0], after[0]];
    if (before.length >= 2) {
      const added = this.compareLeaf(undefined, now, items) ?? (yield this.walk(undefined, now, items));
      return { ...added, removed: FieldSet.leaf };
    }
    if (after.length >= 2) {
      const removed = this.compareLeaf(old, undefined, items) ?? (yield this.walk(old, undefined, items));
      return { ...removed, added: FieldSet.leaf };
    }
    return yield this.walk(old, now, items);
  }
}

const noItems: readonly Json[] = [];

/** Whether two values are compared as a whole. */
function isComparedAsWhole(before: Json, after: Json, shape: Shape): boolean {
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
