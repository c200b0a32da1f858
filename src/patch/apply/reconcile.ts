import { FieldSet } from './field-set.ts';
import { fieldName, isField, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type Shape } from './shape.ts';

/**
 * A field set in step with a shape that has changed: where a list or map became atomic, owners of any part of it own the whole
 * (part 4.6 rule 11; cf. structured-merge-diff ReconcileFieldSetWithSchema). The same set when nothing changed.
 */
export function reconcileWithShape(set: FieldSet, shape: Shape): FieldSet {
  return reconciled(set, shape);
}

function reconciled(set: FieldSet, shape: Shape): FieldSet {
  // A path that ends here already stands for the whole.
  if (set.children.size === 0 || shape.kind === 'scalar') return set;
  if (shape.atomic) return FieldSet.leaf;
  if (shape.kind === 'untyped') return set;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, below] of set.children) {
    const part = shapeBelow(shape, element);
    const now = part ? reconciled(below, part) : below;
    if (now === below) continue;
    children ??= new Map(set.children);
    children.set(element, now);
  }
  return children ? FieldSet.of(set.member, children) : set;
}

function shapeBelow(shape: Exclude<Shape, { kind: 'scalar' | 'untyped' }>, element: PathElement): Shape | undefined {
  if (!isField(element)) return shape.kind === 'list' ? shape.items : undefined;
  if (shape.kind === 'struct') return fieldOf(shape, fieldName(element))?.shape;
  return shape.kind === 'map' ? shape.values : itemsOf(shape);
}

function itemsOf({ items }: ListShape): Shape {
  return items;
}

/** Every struct member on the way to a path counts too (cf. fieldpath Set.EnsureNamedFieldsAreMembers). */
export function withNamedFields(set: FieldSet, shape: Shape | undefined): FieldSet {
  if (set.children.size === 0 || !shape) return set;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, below] of set.children) {
    const named = shape.kind === 'struct' && isField(element) && shape.fields.has(fieldName(element));
    const deep = withNamedFields(below, anyShapeBelow(shape, element));
    const now = named && !deep.member ? FieldSet.of(true, deep.children) : deep;
    if (now === below) continue;
    children ??= new Map(set.children);
    children.set(element, now);
  }
  return children ? FieldSet.of(set.member, children) : set;
}

function anyShapeBelow(shape: Shape, element: PathElement): Shape | undefined {
  if (shape.kind === 'scalar') return undefined;
  return shape.kind === 'untyped' ? shape : shapeBelow(shape, element);
}
