import fc from 'fast-check';
import { bytesToBase64, type Json, type JsonObject, productByName } from '../meta/index.ts';
import { createCatalog, type Field, type Schema, type StructSchema } from '../schema/index.ts';

const catalog = createCatalog(productByName('kubernetes'));

/** Objects of a kind, without kind and apiVersion, for property tests of encodings; members in declaration order. */
export function generatedObjects(shape: StructSchema): fc.Arbitrary<JsonObject> {
  return objectsOf(shape, 0);
}

/** Values as Go encodes them: omitempty fields are either absent or not zero. */
function valuesOf(schema: Schema, depth: number): fc.Arbitrary<Json> {
  switch (schema.form) {
    case 'scalar':
      return scalarValues[schema.type] ?? fc.string();
    case 'struct':
      return objectsOf(schema, depth + 1);
    case 'list':
      return fc.array(valuesOf(schema.items, depth), { minLength: 1, maxLength: 2 });
    case 'map':
      return fc
        .dictionary(fc.string({ unit: 'grapheme', maxLength: 4 }), valuesOf(schema.values, depth), { minKeys: 1, maxKeys: 2 })
        .map(sortKeys);
    case 'untyped':
      return untypedValues(schema.type, depth);
  }
}

const zeroTimes = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
const scalarValues: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  string: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => bytesToBase64(bytes)),
  bool: fc.constant(true),
  int32: fc.integer().filter((value) => value !== 0),
  int64: fc.oneof(fc.integer(), int64).filter((value) => value !== 0),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0),
  Time: zeroTimes.map((time) => `${time.slice(0, 19)}Z`),
  MicroTime: zeroTimes.map((time) => `${time.slice(0, 23)}000Z`),
  Quantity: fc.constantFrom('1', '500m', '1Gi', '0', '-3', '1e3'),
  IntOrString: fc.oneof(fc.integer(), fc.string({ maxLength: 5 })),
};

function untypedValues(type: string, depth: number): fc.Arbitrary<Json> {
  const props = (): fc.Arbitrary<Json> => objectsOf(catalog.type('apiextensions/v1.JSONSchemaProps'), depth + 1);
  switch (type) {
    case 'JSONSchemaPropsOrArray':
      return fc.oneof(props(), fc.array(props(), { minLength: 1, maxLength: 2 }));
    case 'JSONSchemaPropsOrBool':
      return fc.oneof(props(), fc.boolean());
    case 'JSONSchemaPropsOrStringArray':
      return fc.oneof(props(), fc.array(fc.string(), { minLength: 1, maxLength: 2 }));
    default:
      return fc.dictionary(fc.string({ maxLength: 3 }), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('<&>\\u003c')), {
        maxKeys: 3,
      });
  }
}

/** Go's encoding of an unset field; undefined when it is omitted. */
function zeroOf({ schema, pointer, always, omitZero }: Field, depth: number): fc.Arbitrary<Json | undefined> {
  if (schema.form === 'list' || schema.form === 'map' || pointer || (schema.form === 'scalar' && schema.type === 'bytes')) {
    return fc.constant(always ? null : undefined);
  }
  if (schema.form === 'struct') return objectsOf(schema, depth + 1);
  if (schema.form === 'untyped') return fc.constant(null);
  switch (schema.type) {
    case 'Time':
    case 'MicroTime':
      return fc.constant(omitZero ? undefined : null);
    case 'Quantity':
      return fc.constant('0');
    case 'IntOrString':
      return fc.constant(0);
    case 'string':
      return fc.constant(always ? '' : undefined);
    case 'bool':
      return fc.constant(always ? false : undefined);
    default:
      return fc.constant(always ? 0 : undefined);
  }
}

function objectsOf(struct: StructSchema, depth: number): fc.Arbitrary<JsonObject> {
  const fields = struct.fields.filter(({ name }) => !(struct.typeMeta && (name === 'kind' || name === 'apiVersion')));
  const members = fields.map((field): readonly [string, fc.Arbitrary<Json | undefined>] => {
    const zero = fc.constant(undefined).chain(() => zeroOf(field, depth));
    const set = fc.constant(undefined).chain(() => valuesOf(field.schema, depth));
    return [field.name, fc.oneof({ weight: depth > 2 ? 40 : 3, arbitrary: zero }, { weight: 1, arbitrary: set })];
  });
  return fc.record(Object.fromEntries(members)).map(withoutUndefined);
}

function withoutUndefined(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function sortKeys(map: Readonly<Record<string, Json>>): JsonObject {
  const hex = (text: string): string => Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const byBytes = (a: string, b: string): number => (hex(a) < hex(b) ? -1 : 1);
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => byBytes(a, b)));
}
