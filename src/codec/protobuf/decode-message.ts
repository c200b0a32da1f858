import { bytesToBase64, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import type { Catalog, Field, ListSchema, MapSchema, ScalarSchema, Schema, StructSchema, UntypedSchema } from '../../schema/index.ts';
import { maxDepth } from './depth.ts';
import { ProtoError, readFields, readPacked, type WireField, type WireType } from './reader.ts';
import { readDuration, readIntOrString, readQuantity, readRaw, readTime } from './special-types.ts';

/**
 * Decodes messages to JSON as Go would encode it: fields in declaration order, zero values omitted by omitempty. Unknown fields are
 * skipped.
 */
export class MessageDecoder {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** @throws ProtoError */
  read(struct: StructSchema, message: Uint8Array, depth = 0): JsonObject {
    if (depth > maxDepth) throw new ProtoError('proto: message is nested too deeply');
    const found = new Map<number, WireField[]>(struct.messageFields.map(({ number }) => [number, []]));
    for (const wire of readFields(message)) found.get(wire.number)?.push(wire);
    const object: Record<string, Json> = {};
    for (const field of struct.messageFields) {
      const wires = field.number > 0 ? (found.get(field.number) ?? []) : [];
      if (field.inlined) Object.assign(object, this.#value(field.schema, field.name, wires, depth));
      else this.#member(object, field, wires, depth);
    }
    return object;
  }

  #member(object: Record<string, Json>, field: Field, wires: readonly WireField[], depth: number): void {
    const { schema, name, always, pointer } = field;
    if (schema.form === 'list' || schema.form === 'map') {
      const value = schema.form === 'list' ? this.#list(schema, name, wires, depth) : this.#map(schema, name, wires, depth);
      const empty = value === null || (Array.isArray(value) && value.length === 0);
      if (!empty || always) object[name] = value;
      return;
    }
    if (wires.length === 0 && (pointer || isBytes(schema))) {
      if (always) object[name] = null;
      return;
    }
    const value = this.#value(schema, name, wires, depth);
    if (!pointer && isOmitted(field, value)) return;
    object[name] = value;
  }

  /** Null without elements: Go cannot distinguish an empty list from an unset one. */
  #list({ items, wrapped }: ListSchema, name: string, wires: readonly WireField[], depth: number): Json {
    if (wires.length === 0) return null;
    if (wrapped) return this.#wrapped(items, name, mergeParts(wires, name), depth);
    return wires.flatMap((wire) => this.#item(items, name, wire, depth));
  }

  /** Numbers may be packed. */
  #item(items: Schema, name: string, wire: WireField, depth: number): readonly Json[] {
    const type = items.form === 'scalar' ? items.type : undefined;
    if (wire.wire === 2 && (type === 'int32' || type === 'int64')) return readPacked(wire.bytes).map((value) => readInteger(value, type));
    return [this.#value(items, name, [wire], depth)];
  }

  #wrapped(items: Schema, name: string, bytes: Uint8Array, depth: number): Json {
    return [...readFields(bytes)].filter(({ number }) => number === 1).map((wire) => this.#value(items, name, [wire], depth));
  }

  #map({ values }: MapSchema, name: string, wires: readonly WireField[], depth: number): Json {
    if (wires.length === 0) return null;
    const members: Record<string, Json> = {};
    for (const wire of wires) {
      const [key, value] = requireType(wire, 2, name).lastTwo();
      setMember(members, key ? textOf(key, name) : '', this.#value(values, name, value ? [value] : [], depth));
    }
    return members;
  }

  /** The value, or the zero value when absent. A message that occurs several times is merged. */
  #value(schema: Schema, name: string, wires: readonly WireField[], depth: number): Json {
    switch (schema.form) {
      case 'scalar':
        return readScalar(schema, name, wires);
      case 'struct':
        return this.read(schema, mergeParts(wires, name), depth + 1);
      case 'list':
        return this.#wrapped(schema.items, name, mergeParts(wires, name), depth);
      case 'untyped':
        return this.#untyped(schema, mergeParts(wires, name), depth + 1);
      case 'map':
        throw new ProtoError('proto: maps within maps and lists have no form');
    }
  }

  #untyped({ type }: UntypedSchema, bytes: Uint8Array, depth: number): Json {
    if (!type.startsWith('JSONSchemaProps')) return readRaw(bytes);
    const props = this.#catalog.type('apiextensions/v1.JSONSchemaProps');
    const fields = [...readFields(bytes)];
    const all = (number: number): readonly WireField[] => fields.filter((field) => field.number === number);
    const schemaOf = (wire: WireField): Json => this.read(props, requireDelimited(wire, type), depth);
    switch (type) {
      case 'JSONSchemaPropsOrBool': {
        const [schema] = all(2);
        return schema ? schemaOf(schema) : (all(1).at(-1)?.integer ?? 0) !== 0;
      }
      case 'JSONSchemaPropsOrStringArray': {
        const [schema] = all(1);
        return schema ? schemaOf(schema) : all(2).map((wire) => textOf(wire, type));
      }
      default: {
        const [schema] = all(1);
        return schema ? schemaOf(schema) : all(2).map(schemaOf);
      }
    }
  }
}

function readScalar({ type }: ScalarSchema, name: string, wires: readonly WireField[]): Json {
  const last = wires.at(-1);
  switch (type) {
    case 'string':
      return last ? textOf(last, name) : '';
    case 'bytes':
      return last ? bytesToBase64(requireDelimited(last, name)) : '';
    case 'bool':
      return last ? requireType(last, 0, name).integer !== 0 : false;
    case 'int32':
    case 'int64':
      return last ? readInteger(requireType(last, 0, name).integer, type) : 0;
    case 'double':
      return last ? readDouble(requireType(last, 1, name).bytes) : 0;
    case 'Time':
    case 'MicroTime':
      return readTime(mergeParts(wires, name), type);
    case 'Duration':
      return readDuration(mergeParts(wires, name));
    case 'Quantity':
      return readQuantity(mergeParts(wires, name));
    case 'IntOrString':
      return readIntOrString(mergeParts(wires, name));
    case 'any':
      // Only in schemas of definitions, whose objects have no protobuf encoding.
      throw new ProtoError(`${name} has no form in protobuf`);
  }
}

function readInteger(value: number | bigint, type: 'int32' | 'int64'): number | bigint {
  const signed = BigInt.asIntN(type === 'int32' ? 32 : 64, BigInt(value));
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

function readDouble(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
}

/** JSON scalars that are structs in Go. */
const structScalars: ReadonlySet<string> = new Set(['Time', 'MicroTime', 'Duration', 'Quantity', 'IntOrString']);

/** Whether omitempty omits the zero value of a field. Structs are never omitted. */
function isOmitted({ schema, always, omitZero }: Field, value: Json): boolean {
  if (omitZero) return value === null;
  if (always || schema.form !== 'scalar' || structScalars.has(schema.type)) return false;
  return value === '' || value === false || value === 0;
}

function isBytes(schema: Schema): boolean {
  return schema.form === 'scalar' && schema.type === 'bytes';
}

/** Merges the parts of a message that occurs several times, as protobuf requires. */
function mergeParts(wires: readonly WireField[], name: string): Uint8Array {
  const [first, ...others] = wires.map((wire) => requireDelimited(wire, name));
  if (first === undefined) return new Uint8Array();
  if (others.length === 0) return first;
  const all = new Uint8Array(others.reduce((length, part) => length + part.length, first.length));
  let at = 0;
  for (const part of [first, ...others]) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function textOf(wire: WireField, name: string): string {
  return requireType(wire, 2, name).text;
}

function requireDelimited(wire: WireField, name: string): Uint8Array {
  return requireType(wire, 2, name).bytes;
}

function requireType(wire: WireField, type: WireType, name: string): WireField {
  if (wire.wire !== type)
    throw new ProtoError(`proto: wrong wireType = ${wire.wire} for field ${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  return wire;
}
