import { itemsInStep, type Recursion, type Steps, stepsOf } from '../../meta/index.ts';
import { FieldSet } from './field-set.ts';
import { fieldName, isField, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type Shape } from './shape.ts';

/**
 * A field set in step with a shape that has changed: where a list or map became atomic, owners of any part of it own the whole
 * (part 4.6 rule 11; cf. structured-merge-diff ReconcileFieldSetWithSchema). The same set when nothing changed.
 */
export function* reconcileWithShape(set: FieldSet, shape: Shape): Steps<FieldSet> {
  return reconciledAtOnce(set, shape) ?? (yield* stepsOf(reconciled(set, shape)));
}

function reconciledAtOnce(set: FieldSet, shape: Shape): FieldSet | undefined {
  // A path that ends here already stands for the whole.
  if (set.children.size === 0 || shape.kind === 'scalar') return set;
  if (shape.atomic) return FieldSet.leaf;
  return shape.kind === 'untyped' ? set : undefined;
}

function* reconciled(set: FieldSet, shape: Shape): Recursion<FieldSet> {
  let children: Map<PathElement, FieldSet> | undefined;
  let last: Reshaped | undefined;
  let count = 0;
  for (const [element, below] of set.children) {
    if (++count % itemsInStep === 0) yield;
    const part = below.children.size > 0 ? shapeBelow(shape, element) : undefined;
    if (!part) continue;
    if (last?.set !== below || last.shape !== part) {
      last = { set: below, shape: part, result: reconciledAtOnce(below, part) ?? (yield reconciled(below, part)) };
    }
    if (last.result === below) continue;
    children ??= new Map(set.children);
    children.set(element, last.result);
  }
  return children ? FieldSet.of(set.member, children) : set;
}

/** What came of a set: siblings are often the very same set, and what comes of them is then the same as well. */
interface Reshaped {
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

/** Every struct member on the way to a path counts too (cf. fieldpath Set.EnsureNamedFieldsAreMembers). */
export function* withNamedFields(set: FieldSet, shape: Shape): Steps<FieldSet> {
  return set.children.size === 0 ? set : yield* stepsOf(named(set, shape));
}

function* named(set: FieldSet, shape: Shape): Recursion<FieldSet> {
  let children: Map<PathElement, FieldSet> | undefined;
  let last: Reshaped | undefined;
  let count = 0;
  for (const [element, below] of set.children) {
    if (++count % itemsInStep === 0) yield;
    const part = below.children.size > 0 ? shapeBelow(shape, element) : undefined;
    if (part && (last?.set !== below || last.shape !== part)) last = { set: below, shape: part, result: yield named(below, part) };
    const deep = part && last ? last.result : below;
    const isNamed = shape.kind === 'struct' && isField(element) && shape.fields.has(fieldName(element));
    const now = isNamed && !deep.member ? FieldSet.of(true, deep.children) : deep;
    if (now === below) continue;
    children ??= new Map(set.children);
    children.set(element, now);
  }
  return children ? FieldSet.of(set.member, children) : set;
}
