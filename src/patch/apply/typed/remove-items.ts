import {
  isJsonObject,
  itemsPerStep,
  type Json,
  type JsonObject,
  type Recursion,
  type Steps,
  setMember,
  stepsOf,
} from '../../../meta/index.ts';
import { type Draft, draftOf, isJsonArray, memberNames } from '../../json-value.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement, fieldName, isField } from '../fieldpath/path-element.ts';
import { itemElement } from './list-item.ts';
import { fieldOf, type ListShape, type Shape, type UntypedShape } from './shape.ts';

/**
 * Removes the fields of the set with all their content; undefined when nothing is left (cf. structured-merge-diff TypedValue.RemoveItems).
 * An atomic value is removed when any of its parts is.
 */
export function* removeItems(value: Json, fields: FieldSet, shape: Shape): Steps<Json | undefined> {
  return hasParts(value, fields, shape) ? yield* stepsOf(removeParts(value, fields, shape)) : removeLeaf(value, fields, shape);
}

/** Whether the set may have fields below the value. */
function hasParts(value: Json, fields: FieldSet, shape: Shape): boolean {
  if (fields.children.size === 0 || shape.kind === 'scalar' || shape.atomic) return false;
  return shape.kind === 'list' ? isJsonArray(value) : isJsonObject(value);
}

function removeLeaf(value: Json, fields: FieldSet, shape: Shape): Json | undefined {
  const isOne = fields.children.size === 0 || shape.kind === 'scalar' || typeof value !== 'object' || value === null;
  return isOne ? value : undefined;
}

function removeParts(value: Json, fields: FieldSet, shape: Shape): Recursion<Json | undefined> {
  if (shape.kind === 'list') return removeFromList(isJsonArray(value) ? value : [], fields, shape);
  return removeFromObject(isJsonObject(value) ? value : {}, fields, shape);
}

function* removeFromList(items: readonly Json[], fields: FieldSet, shape: ListShape): Recursion<Json | undefined> {
  const out: Json[] = [];
  let count = 0;
  for (const item of items) {
    if (++count % itemsPerStep === 0) yield;
    const one = itemElement(shape, item);
    const below = 'element' in one ? fields.children.get(one.element) : undefined;
    if (!below) out.push(item);
    if (!below || below.member) continue;
    const left = hasParts(item, below, shape.items) ? yield removeParts(item, below, shape.items) : removeLeaf(item, below, shape.items);
    // An item stays in its place even when it becomes empty.
    out.push(left ?? {});
  }
  return out.length > 0 ? out : undefined;
}

function* removeFromObject(value: JsonObject, fields: FieldSet, shape: Shape): Recursion<Json | undefined> {
  let out: Draft | undefined;
  let count = 0;
  for (const [element, below] of fields.children) {
    if (++count % itemsPerStep === 0) yield;
    const name = isField(element) ? fieldName(element) : undefined;
    if (name === undefined || !Object.hasOwn(value, name)) continue;
    const part = value[name] ?? null;
    const inner = partShape(shape, name);
    // An emptied member stays as null, for the managers that own it as a whole.
    const left = below.member
      ? undefined
      : ((hasParts(part, below, inner) ? yield removeParts(part, below, inner) : removeLeaf(part, below, inner)) ?? null);
    if (left === part) continue;
    out ??= draftOf(value);
    replaceMember(out, name, left);
  }
  if (!out) return value;
  return memberNames(out).length > 0 ? out : undefined;
}

function replaceMember(object: Draft, name: string, value: Json | undefined): void {
  if (value === undefined) delete object[name];
  else setMember(object, name, value);
}

const anything: UntypedShape = { kind: 'untyped', atomic: true };

function partShape(shape: Shape, name: string): Shape {
  if (shape.kind === 'struct') return fieldOf(shape, name)?.shape ?? anything;
  return shape.kind === 'map' ? shape.values : shape;
}

/** Extracts the fields of the set, with the keys of list items (cf. structured-merge-diff TypedValue.ExtractItems). */
export function extractItems(value: Json, fields: FieldSet, shape: Shape): Json | undefined {
  if (shape.kind === 'scalar' || (shape.kind === 'list' && shape.atomic)) return value;
  if (isJsonArray(value)) return shape.kind === 'list' ? extractFromList(value, fields, shape) : value;
  if (!isJsonObject(value) || shape.kind === 'list' || shape.atomic) return value;
  const out: Draft = {};
  for (const name of memberNames(value)) {
    const below = fields.children.get(fieldElement(name));
    if (!below) continue;
    const part = value[name] ?? null;
    const extracted = below.children.size > 0 ? extractItems(part, below, partShape(shape, name)) : part;
    if (extracted !== undefined) setMember(out, name, extracted);
  }
  return memberNames(out).length > 0 ? out : undefined;
}

function extractFromList(items: readonly Json[], fields: FieldSet, shape: ListShape): Json | undefined {
  const out: Json[] = [];
  for (const item of items) {
    const one = itemElement(shape, item);
    const below = 'element' in one ? fields.children.get(one.element) : undefined;
    if (!below) continue;
    const extracted = below.children.size > 0 ? extractItems(item, below, shape.items) : item;
    out.push(
      isJsonObject(item) && isJsonObject(extracted ?? {}) ? withKeys(item, (extracted ?? {}) as JsonObject, shape) : (extracted ?? null),
    );
  }
  return out.length > 0 ? out : undefined;
}

function withKeys(item: JsonObject, extracted: JsonObject, { keys }: ListShape): JsonObject {
  const out = draftOf(extracted);
  for (const { name } of keys) if (item[name] !== undefined) setMember(out, name, item[name]);
  return out;
}
