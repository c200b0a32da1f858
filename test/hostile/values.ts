import fc from 'fast-check';
import type { Field, Schema, StructSchema } from '../../src/schema/index.ts';

/** JSON is built as text here, since names may be duplicate and numbers may overflow every type. */
export type JsonText = string;

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '', ' ', '.', '/', '\u0000', '$patch', '$retainKeys'];

/** Texts that have broken parsers before. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom(
    '\ud800',
    '\udc00x',
    '\ufeff',
    'a\u0000b',
    '\u2028',
    'é',
    'é',
    '👩‍👩‍👧',
    '%',
    '%s',
    '..',
    '*',
    'null',
    '-0',
    '1e400',
    '0x',
    '9'.repeat(400),
  ),
  fc.constantFrom(
    '1',
    '-1',
    '0',
    '1Gi',
    '1e3',
    '2020-01-01T00:00:00Z',
    '0000-00-00',
    'true',
    'a=b',
    'a in (',
    '!',
    '10.0.0.1',
    '::1',
    'Always',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constant('x'.repeat(70_000)),
);

const hostileNumber: fc.Arbitrary<JsonText> = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1', '-1', '1.5', '1e3', '1E+400', '-1e400', '1e-400', '9007199254740993', '9223372036854775807'),
  fc.constantFrom('9223372036854775808', '-9223372036854775809', '2147483648', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const scalarText: fc.Arbitrary<JsonText> = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '{}', '[]', '""', '[null]', '{"a":null}'),
  hostileNumber,
  hostileText.map((text) => JSON.stringify(text)),
);

const keyText = fc.oneof(hostileText, fc.constantFrom('metadata', 'spec', 'status', 'kind', 'apiVersion', 'name', 'data', 'Kind'));

/** Any JSON, well-formed, with hostile names and numbers. */
export const hostileJson: fc.Arbitrary<JsonText> = fc.letrec<{ value: JsonText }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalarText,
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc.array(fc.tuple(keyText, tie('value')), { maxLength: 5 }).map(objectText),
  ),
})).value;

export function objectText(members: readonly (readonly [string, JsonText])[]): JsonText {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** Valid names, so that most bodies reach the checks after the name's validation. */
const plausibleText = fc.constantFrom(
  'a',
  'b',
  'web',
  'a.b',
  'example.com/x',
  'Always',
  'ClusterIP',
  'TCP',
  'x'.repeat(64),
  '*',
  '/a',
  'v1',
);

const plausible: Readonly<Record<string, fc.Arbitrary<JsonText>>> = {
  string: fc.oneof(plausibleText, hostileText).map((text) => JSON.stringify(text)),
  bool: fc.constantFrom('true', 'false'),
  int32: fc.oneof(fc.constantFrom('0', '1', '-1', '80', '2147483647', '65536'), hostileNumber),
  int64: fc.oneof(fc.constantFrom('0', '1', '-1', '9223372036854775807', '-9223372036854775808'), hostileNumber),
  double: hostileNumber,
  bytes: fc.constantFrom('""', '"YQ=="', '"!"', '"YQ"'),
  Time: fc.constantFrom('"2020-01-01T00:00:00Z"', '"9999-12-31T23:59:59+23:59"', '"0001-01-01T00:00:00Z"', '"x"', '""', 'null', '1'),
  MicroTime: fc.constantFrom('"2020-01-01T00:00:00.000000Z"', '"2020-01-01T00:00:00Z"', 'null'),
  Quantity: fc.constantFrom('"1"', '"-1"', '"1e99"', '"1n"', '"99999999999999999999"', '1.5', '""', '"1Ei"', '"0.0000000001"', '1e400'),
  IntOrString: fc.constantFrom('0', '1', '-1', '65536', '"25%"', '"101%"', '"-5%"', '"http"', '""', '"1"', '1.5'),
};

/** A value of the schema's type, sometimes of another. */
function shapedValue(schema: Schema, depth = 0): fc.Arbitrary<JsonText> {
  const shaped = (): fc.Arbitrary<JsonText> => {
    switch (schema.form) {
      case 'scalar':
        return schema.enum
          ? fc.oneof(
              fc.constantFrom(...schema.enum).map((one) => JSON.stringify(one)),
              hostileText.map((text) => JSON.stringify(text)),
            )
          : (plausible[schema.type] ?? scalarText);
      case 'struct':
        return shapedObject(schema, depth + 1);
      case 'list':
        return fc.array(shapedValue(schema.items, depth), { maxLength: 3 }).map((items) => `[${items.join(',')}]`);
      case 'map':
        return fc
          .array(fc.tuple(fc.oneof(plausibleText, hostileText), shapedValue(schema.values, depth)), { maxLength: 3 })
          .map(objectText);
      case 'untyped':
        return hostileJson;
    }
  };
  return fc.oneof({ weight: 24, arbitrary: fc.constant(undefined).chain(shaped) }, { weight: 1, arbitrary: scalarText });
}

/** Some of the struct's fields, required ones more often, fewer in deeper levels. */
export function shapedObject(struct: StructSchema, depth = 0): fc.Arbitrary<JsonText> {
  const fields = struct.fields.filter(({ name }) => !(struct.typeMeta && (name === 'kind' || name === 'apiVersion')));
  const member = (field: Field): fc.Arbitrary<readonly [string, JsonText] | undefined> => {
    const present = fc.constant(undefined).chain(() => shapedValue(field.schema, depth).map((value) => [field.name, value] as const));
    const needed = field.required || field.name === 'spec' || field.name === 'metadata' || field.name === 'name';
    if (depth > 6) return fc.constant(undefined);
    return fc.oneof(
      { weight: needed ? 8 : 1, arbitrary: present },
      { weight: needed ? 1 : 2 + depth * 3, arbitrary: fc.constant(undefined) },
    );
  };
  return fc.tuple(...fields.map(member)).map((members) => objectText(members.filter((one) => one !== undefined)));
}
