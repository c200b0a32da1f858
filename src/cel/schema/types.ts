import type { SizeOf } from '../cost/estimate.ts';
import type { StructFields } from '../language/environment.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  type Type,
  timestampType,
} from '../language/types.ts';
import { escapeName } from './escape.ts';
import { isEmbedded, type SchemaNode, valueSchema, withTypeAndMeta } from './node.ts';

/** The CEL type of a schema with size limits (cf. k8s.io/apiserver pkg/cel/common SchemaDeclType). */
export interface DeclaredType {
  readonly shape: Shape;
  /** Maximum number of characters, bytes, items or entries. */
  readonly maxElements: number;
  /** Minimum bytes of JSON. */
  readonly minBytes: number;
}

type Shape =
  | { readonly kind: 'simple'; readonly type: Type }
  | { readonly kind: 'list'; readonly element: DeclaredType }
  | { readonly kind: 'map'; readonly element: DeclaredType }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, DeclaredType> };

/** Maximum size of a request. */
export const maxRequestBytes: number = 3 * 1024 * 1024;

/** Undefined when the schema has no CEL type. */
export function declaredType(schema: SchemaNode, isRoot: boolean): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string']) return simple(dynType, 1, textLimit(schema) ?? maxRequestBytes - 2);
  const node = isRoot ? withTypeAndMeta(schema) : schema;
  switch (node.type) {
    case 'array':
      return listOf(node);
    case 'object':
      return valueSchema(node) ? mapOf(node) : objectOf(node);
    case 'string':
      return textOf(node);
    case 'boolean':
      return simple(boolType, 4, 0);
    case 'number':
      return simple(doubleType, 1, 0);
    case 'integer':
      return simple(intType, 1, 0);
    default:
      return undefined;
  }
}

function simple(type: Type, minBytes: number, maxElements: number): DeclaredType {
  return { shape: { kind: 'simple', type }, minBytes, maxElements };
}

function listOf({ items, maxItems }: SchemaNode): DeclaredType | undefined {
  const element = items && declaredType(items, isEmbedded(items));
  if (!element) return undefined;
  const most = Math.floor((maxRequestBytes - 2) / (element.minBytes + 1));
  return { shape: { kind: 'list', element }, minBytes: 2, maxElements: limit(maxItems) ?? most };
}

function mapOf(schema: SchemaNode): DeclaredType | undefined {
  const values = valueSchema(schema);
  const element = values && declaredType(values, isEmbedded(values));
  if (!element) return undefined;
  const most = Math.floor((maxRequestBytes - 2) / (element.minBytes + 6));
  return { shape: { kind: 'map', element }, minBytes: 2, maxElements: limit(schema.maxProperties) ?? most };
}

function objectOf({ properties = {}, required = [] }: SchemaNode): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minBytes = 2;
  for (const [name, property] of Object.entries(properties)) {
    const type = declaredType(property, isEmbedded(property));
    if (!type) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (required.includes(name) && property.default === undefined) minBytes += byteLength(name) + type.minBytes + 4;
  }
  return { shape: { kind: 'object', fields }, minBytes, maxElements: 0 };
}

function textOf(schema: SchemaNode): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return simple(bytesType, 2, limit(schema.maxLength) ?? maxRequestBytes - 2);
    case 'duration':
      return simple(durationType, 3, 32);
    case 'date':
      return simple(timestampType, 12, 12);
    case 'date-time':
      return simple(timestampType, 21, 32);
    default:
      return simple(stringType, 2, textLimit(schema) ?? longestOf(schema.enum) ?? maxRequestBytes - 2);
  }
}

/** maxLength counts characters of up to four bytes. */
function textLimit({ maxLength }: SchemaNode): number | undefined {
  const most = limit(maxLength);
  return most === undefined ? undefined : most * 4;
}

function longestOf(values: readonly unknown[] | undefined): number | undefined {
  if (!values || values.length === 0) return undefined;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? byteLength(value) : 0)));
}

function limit(most: number | undefined): number | undefined {
  return most === undefined ? undefined : Math.max(0, most);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A declared type with names for all nested objects: `self.spec`, `self.list.@idx`. */
export interface NamedType {
  readonly type: Type;
  readonly structs: readonly (readonly [name: string, fields: StructFields])[];
}

export function namedType({ shape }: DeclaredType, name: string): NamedType {
  switch (shape.kind) {
    case 'simple':
      return { type: shape.type, structs: [] };
    case 'list': {
      const element = namedType(shape.element, `${name}.@idx`);
      return { type: listType(element.type), structs: element.structs };
    }
    case 'map': {
      const element = namedType(shape.element, `${name}.@elem`);
      return { type: mapType(stringType, element.type), structs: element.structs };
    }
    case 'object': {
      const fields = new Map(Array.from(shape.fields, ([field, type]) => [field, namedType(type, `${name}.${field}`)]));
      // Keywords need no escape after a dot.
      const own = [name, (field: string) => (fields.get(field) ?? fields.get(`__${field}__`))?.type] as const;
      return { type: structType(name), structs: [own, ...Array.from(fields.values()).flatMap(({ structs }) => structs)] };
    }
  }
}

/** The type of a field, or of the elements of a list or map. */
export function fieldType(type: DeclaredType | undefined, name: string | undefined): DeclaredType | undefined {
  const escaped = name === undefined ? '@items' : escapeName(name);
  return type && escaped !== undefined ? stepInto(type.shape, escaped) : undefined;
}

/** Maximum sizes on paths from a variable of this type; all variables of a rule have it. */
export function sizesFrom(type: DeclaredType): SizeOf {
  return (path) => {
    let at: DeclaredType | undefined = type;
    for (const step of path.slice(1)) {
      at = at && stepInto(at.shape, step);
      if (!at) return undefined;
    }
    return at?.maxElements;
  };
}

function stepInto(shape: Shape, step: string): DeclaredType | undefined {
  if (step === '@items' || step === '@values') return shape.kind === 'list' || shape.kind === 'map' ? shape.element : undefined;
  if (step === '@keys') return shape.kind === 'map' ? simple(stringType, 2, 0) : undefined;
  return shape.kind === 'object' ? shape.fields.get(step) : undefined;
}
