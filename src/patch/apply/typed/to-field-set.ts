import { isJsonObject, itemsPerStep, type Json, type JsonObject, type Recursion, type Steps, stepsOf } from '../../../meta/index.ts';
import { isJsonArray, memberNames } from '../../json-value.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { requiredElement } from './list-item.ts';
import { fieldOf, type ListShape, type Shape, type StructShape } from './shape.ts';

/**
 * The fields of an applied value, which its applier owns (cf. structured-merge-diff TypedValue.ToFieldSet). Struct members are in the set
 * through their content; items, map members, nulls and empty objects are in the set themselves.
 */
export function* toFieldSet(value: Json, shape: Shape): Steps<FieldSet> {
  return leafFieldSet(value, shape, false) ?? (yield* stepsOf(partsFieldSet(value, shape, false)));
}

/** The fields of a value without parts; undefined for others. `member`: the path of this value is in the set, whatever its content. */
function leafFieldSet(value: Json, shape: Shape, member: boolean): FieldSet | undefined {
  if (shape.kind === 'scalar' || shape.atomic) return FieldSet.leaf;
  if (shape.kind === 'list' ? isJsonArray(value) : isJsonObject(value)) return undefined;
  return FieldSet.of(member || shape.kind === 'untyped', undefined);
}

function partsFieldSet(value: Json, shape: Shape, member: boolean): Recursion<FieldSet> {
  if (shape.kind === 'list') return listFieldSet(isJsonArray(value) ? value : [], shape, member);
  const object = isJsonObject(value) ? value : {};
  return shape.kind === 'struct' ? structFieldSet(object, shape, member) : mapFieldSet(object, shape, member);
}

function* structFieldSet(value: JsonObject, shape: StructShape, member: boolean): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let count = 0;
  for (const name of memberNames(value)) {
    if (++count % itemsPerStep === 0) yield;
    const field = fieldOf(shape, name);
    if (!field) continue;
    const part = value[name] ?? null;
    const counts = !shape.fields.has(name) || part === null || isEmptyObject(part);
    const inner = leafFieldSet(part, field.shape, counts) ?? (yield partsFieldSet(part, field.shape, counts));
    if (!inner.isEmpty) children.set(field.element, inner);
  }
  return FieldSet.of(member, children);
}

function* mapFieldSet(value: JsonObject, shape: Shape, member: boolean): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  const values = shape.kind === 'map' ? shape.values : shape;
  let last = FieldSet.leaf;
  let count = 0;
  for (const name of memberNames(value)) {
    if (++count % itemsPerStep === 0) yield;
    const part = value[name] ?? null;
    last = leafFieldSet(part, values, true) ?? (yield partsFieldSet(part, values, true)).sharedWith(last);
    children.set(fieldElement(name), last);
  }
  return FieldSet.of(member, children);
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && memberNames(value).length === 0;
}

/** Duplicate items count as one field, without their content. */
function* listFieldSet(items: readonly Json[], shape: ListShape, member: boolean): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const [index, item] of items.entries()) {
    if (index % itemsPerStep === itemsPerStep - 1) yield;
    const element = requiredElement(shape, item, index);
    if (children.has(element)) last = FieldSet.leaf;
    else last = leafFieldSet(item, shape.items, true) ?? (yield partsFieldSet(item, shape.items, true)).sharedWith(last);
    children.set(element, last);
  }
  return FieldSet.of(member, children);
}
