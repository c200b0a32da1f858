import { isJsonObject, itemsInStep, type Json, type JsonObject, type Recursion, type Steps, stepsOf } from '../../meta/index.ts';
import { isJsonArray, memberNames } from '../json-value.ts';
import { FieldSet } from './field-set.ts';
import { requiredElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type Shape, type StructShape } from './shape.ts';

/**
 * The fields that a value gives: what an applier of it owns (cf. structured-merge-diff TypedValue.ToFieldSet). Members of a
 * struct count by what is in them; items, members of maps, nulls and empty objects count themselves.
 */
export function* toFieldSet(value: Json, shape: Shape): Steps<FieldSet> {
  return givenAtOnce(value, shape, false) ?? (yield* stepsOf(given(value, shape, false)));
}

/**
 * The fields of a value that has no parts of its own; undefined for others. `member`: the path to this value counts whatever is
 * in it.
 */
function givenAtOnce(value: Json, shape: Shape, member: boolean): FieldSet | undefined {
  if (shape.kind === 'scalar' || shape.atomic) return FieldSet.leaf;
  if (shape.kind === 'list' ? isJsonArray(value) : isJsonObject(value)) return undefined;
  return FieldSet.of(member || shape.kind === 'untyped', undefined);
}

function given(value: Json, shape: Shape, member: boolean): Recursion<FieldSet> {
  if (shape.kind === 'list') return givenItems(isJsonArray(value) ? value : [], shape, member);
  const object = isJsonObject(value) ? value : {};
  return shape.kind === 'struct' ? givenFields(object, shape, member) : givenMembers(object, shape, member);
}

function* givenFields(value: JsonObject, shape: StructShape, member: boolean): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let count = 0;
  for (const name of memberNames(value)) {
    if (++count % itemsInStep === 0) yield;
    const field = fieldOf(shape, name);
    if (!field) continue;
    const part = value[name] ?? null;
    const counts = !shape.fields.has(name) || part === null || isEmptyObject(part);
    const inner = givenAtOnce(part, field.shape, counts) ?? (yield given(part, field.shape, counts));
    if (!inner.isEmpty) children.set(field.element, inner);
  }
  return FieldSet.of(member, children);
}

function* givenMembers(value: JsonObject, shape: Shape, member: boolean): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  const values = shape.kind === 'map' ? shape.values : shape;
  let last = FieldSet.leaf;
  let count = 0;
  for (const name of memberNames(value)) {
    if (++count % itemsInStep === 0) yield;
    const part = value[name] ?? null;
    last = givenAtOnce(part, values, true) ?? (yield given(part, values, true)).sharing(last);
    children.set(fieldElement(name), last);
  }
  return FieldSet.of(member, children);
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && memberNames(value).length === 0;
}

/** Items that stand there twice count as one, whatever is in them. */
function* givenItems(items: readonly Json[], shape: ListShape, member: boolean): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const [index, item] of items.entries()) {
    if (index % itemsInStep === itemsInStep - 1) yield;
    const element = requiredElement(shape, item, index);
    if (children.has(element)) last = FieldSet.leaf;
    else last = givenAtOnce(item, shape.items, true) ?? (yield given(item, shape.items, true)).sharing(last);
    children.set(element, last);
  }
  return FieldSet.of(member, children);
}
