import { itemsPerStep, type Recursion, type Steps, stepsOf } from '../../../meta/index.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldName, isField, type PathElement } from '../fieldpath/path-element.ts';
import { fieldOf, type ListShape, type Shape } from './shape.ts';

/**
 * Adapts a field set to a changed shape: owners of any part of a list or map that became atomic own the whole (part 4.6 rule 11; cf.
 * structured-merge-diff ReconcileFieldSetWithSchema). Returns the same set when nothing changed.
 */
export function* reconcileWithShape(set: FieldSet, shape: Shape): Steps<FieldSet> {
  return reconcileLeaf(set, shape) ?? (yield* stepsOf(reconcileParts(set, shape)));
}

function reconcileLeaf(set: FieldSet, shape: Shape): FieldSet | undefined {
  // A path that ends here already covers the whole value.
  if (set.children.size === 0 || shape.kind === 'scalar') return set;
  if (shape.atomic) return FieldSet.leaf;
  return shape.kind === 'untyped' ? set : undefined;
}

function* reconcileParts(set: FieldSet, shape: Shape): Recursion<FieldSet> {
  let children: Map<PathElement, FieldSet> | undefined;
  let last: ReconcileResult | undefined;
  let count = 0;
  for (const [element, below] of set.children) {
    if (++count % itemsPerStep === 0) yield;
    const part = below.children.size > 0 ? shapeBelow(shape, element) : undefined;
    if (!part) continue;
    if (last?.set !== below || last.shape !== part) {
      last = { set: below, shape: part, result: reconcileLeaf(below, part) ?? (yield reconcileParts(below, part)) };
    }
    if (last.result === below) continue;
    children ??= new Map(set.children);
    children.set(element, last.result);
  }
  return children ? FieldSet.of(set.member, children) : set;
}

/** The last result: siblings often share their set, and then also its result. */
interface ReconcileResult {
  readonly set: FieldSet;
  readonly shape: Shape;
  readonly result: FieldSet;
}

function shapeBelow(shape: Shape, element: PathElement): Shape | undefined {
  if (shape.kind === 'scalar') return undefined;
  if (shape.kind === 'untyped') return shape;
  if (!isField(element)) return shape.kind === 'list' ? shape.items : undefined;
  if (shape.kind === 'struct') return fieldOf(shape, fieldName(element))?.shape;
  return shape.kind === 'map' ? shape.values : itemsOf(shape);
}

function itemsOf({ items }: ListShape): Shape {
  return items;
}

/** Adds all struct members on the paths of the set (cf. fieldpath Set.EnsureNamedFieldsAreMembers). */
export function* withNamedFields(set: FieldSet, shape: Shape): Steps<FieldSet> {
  return set.children.size === 0 ? set : yield* stepsOf(addNamedFields(set, shape));
}

function* addNamedFields(set: FieldSet, shape: Shape): Recursion<FieldSet> {
  let children: Map<PathElement, FieldSet> | undefined;
  let last: ReconcileResult | undefined;
  let count = 0;
  for (const [element, below] of set.children) {
    if (++count % itemsPerStep === 0) yield;
    const part = below.children.size > 0 ? shapeBelow(shape, element) : undefined;
    if (part && (last?.set !== below || last.shape !== part)) last = { set: below, shape: part, result: yield addNamedFields(below, part) };
    const deep = part && last ? last.result : below;
    const isNamed = shape.kind === 'struct' && isField(element) && shape.fields.has(fieldName(element));
    const now = isNamed && !deep.member ? FieldSet.of(true, deep.children) : deep;
    if (now === below) continue;
    children ??= new Map(set.children);
    children.set(element, now);
  }
  return children ? FieldSet.of(set.member, children) : set;
}
