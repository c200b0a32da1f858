import fc from 'fast-check';
import protobufjs from 'protobufjs';
import { expect, test } from 'vitest';
import { base64ToBytes, type Json, type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog, type Field, formatGroupVersion, type ScalarType, type Schema, type StructSchema } from '../../schema/index.ts';
import { generatedObjects } from '../generated-objects.test-support.ts';
import { createProtobuf, openEnvelope } from './index.ts';

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const protobuf = createProtobuf(catalog, product);

const scalars: Partial<Readonly<Record<ScalarType, string>>> = {
  string: 'string',
  bytes: 'bytes',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'double',
};

/** Types of protobufjs for those of the catalog, without fields of types with a JSON form of their own. */
class Types {
  readonly #root = new protobufjs.Root();
  readonly #known = new Map<StructSchema, protobufjs.Type>();

  of(struct: StructSchema): protobufjs.Type {
    const known = this.#known.get(struct);
    if (known) return known;
    const type = new protobufjs.Type(`T${this.#known.size}`);
    this.#known.set(struct, type);
    this.#root.add(type);
    for (const field of plainFields(struct)) type.add(this.#field(field));
    return type;
  }

  #field({ number, schema }: Field): protobufjs.ReflectionObject {
    const name = memberName(number);
    if (schema.form === 'list')
      return new protobufjs.Field(name, number, this.#typeName(schema.items), 'repeated', undefined, { packed: false });
    if (schema.form === 'map') return new protobufjs.MapField(name, number, 'string', this.#typeName(schema.values));
    return new protobufjs.Field(name, number, this.#typeName(schema));
  }

  #typeName(schema: Schema): string {
    if (schema.form === 'struct') return this.of(schema).name;
    return schema.form === 'scalar' ? (scalars[schema.type] ?? '') : '';
  }
}

/** Names of the API such as `$schema` are reserved in protobufjs. */
function memberName(number: number): string {
  return `field${number}`;
}

function plainFields({ messageFields }: StructSchema): readonly Field[] {
  return messageFields.filter(({ number, inlined, schema }) => number > 0 && !inlined && isPlain(schema));
}

function isPlain(schema: Schema): boolean {
  if (schema.form === 'list') return !schema.wrapped && isPlainItem(schema.items);
  return schema.form === 'map' ? isPlainItem(schema.values) : isPlainItem(schema);
}

function isPlainItem(schema: Schema): boolean {
  return schema.form === 'struct' || (schema.form === 'scalar' && scalars[schema.type] !== undefined);
}

/** The members that protobufjs decodes, with values in its form. */
function expectedOf(struct: StructSchema, object: JsonObject): object {
  const members = plainFields(struct).flatMap(({ name, number, schema }): [string, unknown][] => {
    const value = object[name];
    return value === undefined || value === null ? [] : [[memberName(number), expectedValue(schema, value)]];
  });
  return Object.fromEntries(members);
}

function expectedValue(schema: Schema, value: Json): unknown {
  switch (schema.form) {
    case 'list':
      return (value as readonly Json[]).map((item) => expectedValue(schema.items, item));
    case 'map':
      return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item = null]) => [key, expectedValue(schema.values, item)]));
    case 'struct':
      return expectedOf(schema, value as JsonObject);
    default:
      if (schema.form === 'scalar' && schema.type === 'bytes') return Array.from(base64ToBytes(String(value)));
      return schema.form === 'scalar' && schema.type === 'int64' ? String(value) : value;
  }
}

test('protobufjs decodes objects of every kind to the same values', { timeout: 120_000 }, () => {
  const types = new Types();
  for (const { name, versions } of catalog.groups) {
    for (const version of versions) {
      const apiVersion = formatGroupVersion({ group: name, version });
      for (const { kind, schema } of catalog.resourcesOf(apiVersion)) {
        if (!protobuf.supports(apiVersion, kind)) continue;
        const type = types.of(schema);
        fc.assert(
          fc.property(generatedObjects(schema), (body) => {
            const { raw } = openEnvelope(protobuf.encode({ kind, apiVersion, ...body }));
            const decoded = type.toObject(type.decode(raw), { longs: String, bytes: Array });
            expect(decoded, kind).toMatchObject(expectedOf(schema, body));
          }),
          { numRuns: 3 },
        );
      }
    }
  }
});
