import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { isJsonArray, memberNames } from '../json-value.ts';
import { FieldSet } from './field-set.ts';
import { itemsByElement } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type MapShape, type Shape, type StructShape, type UntypedShape } from './shape.ts';

/**
 * The fields that a value gives: what an applier of it owns (cf. structured-merge-diff TypedValue.ToFieldSet). Members of a
 * struct count by what is in them; items, members of maps, nulls and empty objects count themselves.
 */
export function toFieldSet(value: Json, shape: Shape): FieldSet {
  return given(value, shape, false);
}

/** `member`: the path to this value counts whatever is in it. */
function given(value: Json, shape: Shape, member: boolean): FieldSet {
  if (shape.kind === 'scalar') return FieldSet.leaf;
  if (shape.kind === 'untyped') return givenUntyped(value, shape, member);
  if (shape.atomic) return FieldSet.leaf;
  if (shape.kind === 'list') return isJsonArray(value) ? givenItems(value, shape, member) : FieldSet.of(member, undefined);
  return isJsonObject(value) ? givenMembers(value, shape, member) : FieldSet.of(member, undefined);
}

function givenUntyped(value: Json, shape: UntypedShape, member: boolean): FieldSet {
  return !shape.atomic && isJsonObject(value) ? givenMembers(value, shape, member) : FieldSet.leaf;
}

function givenMembers(value: JsonObject, shape: StructShape | MapShape | UntypedShape, member: boolean): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const name of memberNames(value)) {
    const part = value[name] ?? null;
    const field = shape.kind === 'struct' ? fieldOf(shape, name) : undefined;
    const partShape = field ? field.shape : shape.kind === 'map' ? shape.values : shape;
    if (shape.kind === 'struct' && !field) continue;
    const declared = shape.kind === 'struct' && shape.fields.has(name);
    const inner = given(part, partShape, !declared || part === null || isEmptyObject(part));
    if (inner.isEmpty) continue;
    last = declared ? inner : inner.sharing(last);
    children.set(field ? field.element : fieldElement(name), last);
  }
  return FieldSet.of(member, children);
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && memberNames(value).length === 0;
}

/** Items that stand there twice count as one, whatever is in them. */
function givenItems(items: readonly Json[], shape: ListShape, member: boolean): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  let last = FieldSet.leaf;
  for (const [element, same] of itemsByElement(shape, items)) {
    const [item] = same;
    last = same.length > 1 || item === undefined ? FieldSet.leaf : given(item, shape.items, true).sharing(last);
    children.set(element, last);
  }
  return FieldSet.of(member, children);
}
