import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { definitionSchema } from './index.ts';

const product = productByName('kubernetes');
const widget: JsonObject = {
  type: 'object',
  description: 'A widget.',
  properties: {
    spec: {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', description: 'the a', example: 'dropped' },
        i: { 'x-kubernetes-int-or-string': true },
        n: { type: 'object', nullable: true, properties: { x: { type: 'string' } } },
        o: { type: 'integer', anyOf: [{ minimum: 1 }, { maximum: -1 }], not: { enum: [7] } },
        m: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
};

const specOf = (schema: JsonObject | undefined): unknown => {
  const { properties } = schema as { readonly properties: { readonly spec: { readonly properties: unknown } } };
  return properties.spec.properties;
};

test('version 3 publishes the schema of a definition unchanged', () => {
  expect(specOf(definitionSchema(widget, 'v3', product))).toEqual({
    a: { type: 'string', description: 'the a' },
    i: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    n: { type: 'object', nullable: true, properties: { x: { type: 'string' } } },
    o: { type: 'integer', anyOf: [{ minimum: 1 }, { maximum: -1 }], not: { enum: [7] } },
    m: { type: 'object', additionalProperties: { type: 'string' } },
  });
});

test('version 2 omits unsupported schema keywords', () => {
  expect(specOf(definitionSchema(widget, 'v2', product))).toEqual({
    a: { type: 'string', description: 'the a' },
    i: { 'x-kubernetes-int-or-string': true },
    n: {},
    o: { type: 'integer' },
    m: { type: 'object', additionalProperties: { type: 'string' } },
  });
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  expect(definitionSchema(open, 'v2', product)).toBeUndefined();
  expect(definitionSchema(open, 'v3', product)).toEqual(open);
});

test('preserves properties named __proto__, and limits the depth', () => {
  const odd = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  expect(JSON.stringify(definitionSchema(odd, 'v3', product))).toBe(JSON.stringify(odd));
  let deep: JsonObject = { type: 'object' };
  for (let depth = 0; depth < 20_000; depth++) deep = { type: 'object', properties: { a: deep } };
  expect(JSON.stringify(definitionSchema(deep, 'v3', product))?.length).toBeLessThan(20_000);
});
