import { base64ToBytes, isJsonObject } from '../../meta/index.ts';
import type { Catalog, Field, ListSchema, MapSchema, ScalarSchema, Schema, StructSchema, UntypedSchema } from '../../schema/index.ts';
import type { ItemList, Pause } from '../item-list.ts';
import { maxDepth } from './depth.ts';
import { ProtoError } from './reader.ts';
import { writeDuration, writeIntOrString, writeQuantity, writeRaw, writeTime } from './special-types.ts';
import { ProtoWriter } from './writer.ts';

/**
 * Encodes JSON values as messages, byte for byte like Go's generated code: fields by number, plain values even when zero, pointers,
 * lists, maps and bytes only when set, map entries sorted, inlined structs as messages.
 */
export class MessageEncoder {
  readonly #catalog: Catalog;
  readonly #byNumber = new WeakMap<StructSchema, readonly Field[]>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Writes the fields of a message without a length prefix. @throws ProtoError when values are nested too deeply */
  write(writer: ProtoWriter, struct: StructSchema, value: unknown, depth = 0): void {
    if (depth > maxDepth) throw new ProtoError('proto: value is nested too deeply');
    const object = isJsonObject(value) ? value : {};
    for (const field of this.#fieldsOf(struct)) this.#member(writer, field, object, depth);
  }

  /** The same bytes as `write`, for a whole list. @throws ProtoError when values are nested too deeply */
  async writeList(struct: StructSchema, { frame, member, items }: ItemList, pause: Pause): Promise<readonly Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    for (const field of this.#fieldsOf(struct)) {
      const { name, number, schema } = field;
      if (name !== member || schema.form !== 'list') {
        const writer = new ProtoWriter();
        this.#member(writer, field, frame, 0);
        pieces.push(writer.finish());
        continue;
      }
      for (const item of items) {
        const writer = new ProtoWriter();
        this.#value(writer, number, schema.items, item, 0);
        pieces.push(writer.finish());
        const paused = pause();
        if (paused) await paused;
      }
    }
    return pieces;
  }

  #member(writer: ProtoWriter, field: Field, object: Readonly<Record<string, unknown>>, depth: number): void {
    const { name, number, schema } = field;
    if (field.inlined) this.#value(writer, number, schema, object, depth);
    else this.#field(writer, field, Object.hasOwn(object, name) ? object[name] : undefined, depth);
  }

  #fieldsOf(struct: StructSchema): readonly Field[] {
    const known = this.#byNumber.get(struct);
    if (known) return known;
    const fields = struct.messageFields.filter(({ number }) => number > 0).sort((a, b) => a.number - b.number);
    this.#byNumber.set(struct, fields);
    return fields;
  }

  #field(writer: ProtoWriter, { number, schema, pointer }: Field, value: unknown, depth: number): void {
    const set = value !== undefined && value !== null;
    if (schema.form === 'list') {
      if (schema.wrapped && set) this.#wrapped(writer, number, schema, value, depth);
      if (!schema.wrapped) for (const item of listOf(value)) this.#value(writer, number, schema.items, item, depth);
    } else if (schema.form === 'map') {
      this.#map(writer, number, schema, value, depth);
    } else if (set || !(pointer || (schema.form === 'scalar' && schema.type === 'bytes'))) {
      this.#value(writer, number, schema, value, depth);
    }
  }

  #map(writer: ProtoWriter, number: number, { values }: MapSchema, value: unknown, depth: number): void {
    if (!isJsonObject(value)) return;
    const isBytes = values.form === 'scalar' && values.type === 'bytes';
    for (const key of Object.keys(value).sort(compareUtf8)) {
      writer.message(number, () => {
        writer.string(1, key);
        if (value[key] !== null || !isBytes) this.#value(writer, 2, values, value[key], depth);
      });
    }
  }

  #wrapped(writer: ProtoWriter, number: number, { items }: ListSchema, value: unknown, depth: number): void {
    writer.message(number, () => {
      for (const item of listOf(value)) this.#value(writer, 1, items, item, depth);
    });
  }

  #value(writer: ProtoWriter, number: number, schema: Schema, value: unknown, depth: number): void {
    switch (schema.form) {
      case 'scalar':
        writeScalar(writer, number, schema, value);
        return;
      case 'struct':
        writer.message(number, () => this.write(writer, schema, value, depth + 1));
        return;
      case 'list':
        this.#wrapped(writer, number, schema, value, depth);
        return;
      case 'untyped':
        writer.message(number, () => this.#untyped(writer, schema, value, depth + 1));
        return;
      case 'map':
        throw new ProtoError('proto: maps within maps and lists have no form');
    }
  }

  #untyped(writer: ProtoWriter, { type }: UntypedSchema, value: unknown, depth: number): void {
    switch (type) {
      case 'JSONSchemaPropsOrArray':
        if (Array.isArray(value)) for (const item of value) this.#schemaProps(writer, 2, item, depth);
        else this.#schemaProps(writer, 1, value, depth);
        return;
      case 'JSONSchemaPropsOrBool':
        writer.bool(1, value !== false);
        if (typeof value !== 'boolean') this.#schemaProps(writer, 2, value, depth);
        return;
      case 'JSONSchemaPropsOrStringArray':
        if (Array.isArray(value)) for (const item of value) writer.string(2, String(item));
        else this.#schemaProps(writer, 1, value, depth);
        return;
      case 'JSON':
        // A list of JSON values can contain null.
        if (value === null) writer.string(1, 'null');
        else writeRaw(writer, value);
        return;
      default:
        writeRaw(writer, value);
    }
  }

  #schemaProps(writer: ProtoWriter, number: number, value: unknown, depth: number): void {
    writer.message(number, () => this.write(writer, this.#catalog.type('apiextensions/v1.JSONSchemaProps'), value, depth));
  }
}

function writeScalar(writer: ProtoWriter, number: number, { type }: ScalarSchema, value: unknown): void {
  switch (type) {
    case 'string':
      writer.string(number, typeof value === 'string' ? value : '');
      return;
    case 'bytes':
      writer.bytes(number, base64ToBytes(typeof value === 'string' ? value : ''));
      return;
    case 'bool':
      writer.bool(number, value === true);
      return;
    case 'int32':
    case 'int64':
      writer.integer(number, typeof value === 'number' || typeof value === 'bigint' ? value : 0);
      return;
    case 'double':
      writer.double(number, typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0);
      return;
    case 'Time':
    case 'MicroTime':
      writer.message(number, () => writeTime(writer, type, value));
      return;
    case 'Duration':
      writer.message(number, () => writeDuration(writer, value));
      return;
    case 'Quantity':
      writer.message(number, () => writeQuantity(writer, value));
      return;
    case 'IntOrString':
      writer.message(number, () => writeIntOrString(writer, value));
      return;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Compares UTF-8 bytes; UTF-16 units sort differently for surrogates and the end of the basic plane. */
function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    const surrogateX = (x & 0xf800) === 0xd800;
    const surrogateY = (y & 0xf800) === 0xd800;
    return surrogateX === surrogateY ? x - y : surrogateX ? 1 : -1;
  }
  return a.length - b.length;
}
