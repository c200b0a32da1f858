import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../meta/index.ts';
import {
  applyDefaults,
  Correlation,
  pruneForbiddenNulls,
  pruneObject,
  readSchemaNode,
  validateListTypes,
  validateStructural,
  validateValue,
} from './index.ts';

const node = (schema: JsonObject) => readSchemaNode(schema, 'x-kubernetes-');
const messagesOf = (value: Json, schema: JsonObject): readonly string[] =>
  validateValue(value, node(schema), '').map(({ field, message }) => `${field}: ${message}`);

test('reports a wrong type, a missing member and a limit with the real messages', () => {
  const schema = {
    type: 'object',
    required: ['n'],
    properties: { s: { type: 'string', maxLength: 2 }, list: { type: 'array', items: { type: 'integer', maximum: 3 } } },
  };
  expect(messagesOf({ s: 'abc', list: ['x', 4] }, schema)).toEqual([
    's: Too long: may not be more than 2 bytes',
    'list[0]: Invalid value: "string": list[0] in body must be of type integer: "string"',
    'list[1]: Invalid value: 4: list[1] in body should be less than or equal to 3',
    'n: Required value',
  ]);
});

test('reports the closest alternative together with the combination', () => {
  const schema = {
    type: 'object',
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
    properties: { a: { type: 'string' }, b: { type: 'string' } },
  };
  expect(messagesOf({}, schema)).toEqual([
    '<nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid',
    'a: Required value',
  ]);
  expect(messagesOf({ a: '', b: '' }, schema)).toEqual([
    '<nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
});

test('unchanged values may violate a new rule', () => {
  const schema = node({ type: 'object', properties: { a: { type: 'string', maxLength: 1 }, b: { type: 'string', maxLength: 1 } } });
  const [old, next] = [
    { a: 'long', b: 'b' },
    { a: 'long', b: 'longer' },
  ];
  expect(validateValue(next, schema, '', new Correlation(next, old, schema)).map(({ field }) => field)).toEqual(['b']);
});

test('prunes undeclared members except with preserve-unknown-fields', () => {
  const schema = node({
    type: 'object',
    properties: {
      a: { type: 'object', properties: { b: { type: 'string' } } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  });
  const unknown: string[] = [];
  const pruned = pruneObject({ kind: 'K', z: 1, a: { b: 'x', c: [1] }, free: { d: { e: 1 } } }, schema, (path) => unknown.push(path));
  expect(pruned).toEqual({ kind: 'K', a: { b: 'x' }, free: { d: { e: 1 } } });
  expect(unknown).toEqual(['a.c', 'z']);
});

test('a null stays where it is nullable, is replaced by a default, or is pruned', () => {
  const schema = node({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string', nullable: true }, c: { type: 'string', default: 'd' } },
  });
  expect(applyDefaults(pruneForbiddenNulls({ a: null, b: null, c: null }, schema), schema)).toEqual({ b: null, c: 'd' });
});

test('items of an associative list must have unique keys', () => {
  const schema = node({
    type: 'array',
    items: { type: 'object', properties: { k: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  });
  expect(
    validateListTypes([{ k: 'a' }, { k: 'b' }, { k: 'a', v: 1 }], schema, 'l').map(({ field, message }) => `${field} ${message}`),
  ).toEqual(['l[2] Duplicate value: {"k":"a"}']);
});

test('a combination must not contain structural members', () => {
  const schema = node({ type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } });
  expect(validateStructural(schema, 's', 'x-kubernetes-').map(({ field, message }) => `${field}: ${message}`)).toEqual([
    's.properties[a].oneOf[0].type: Forbidden: must be empty to be structural',
    's.properties[a].oneOf[1].type: Forbidden: must be empty to be structural',
    's.properties[a].type: Required value: must not be empty for specified object fields',
  ]);
});

test('compares enum values by type and content', () => {
  const schema = { type: 'array', items: { enum: ['1', 2, null, { a: [1] }] } };
  expect(messagesOf(['1', 2, null, { a: [1] }], schema)).toEqual([]);
  expect(messagesOf([1, '2', { a: [2] }], schema)).toHaveLength(3);
});

test('set items must be unique by type and content, and each duplicate is reported once', () => {
  const schema = node({ type: 'array', items: {}, 'x-kubernetes-list-type': 'set' });
  const items = [1, '1', true, 'true', null, 'null', { a: 1, b: 2 }, '{"a":1,"b":2}', 1, 1, { b: 2, a: 1 }];
  expect(validateListTypes(items, schema, 'l').map(({ field }) => field)).toEqual(['l[8]', 'l[10]']);
});

test('absent keys differ from empty keys', () => {
  const schema = node({
    type: 'array',
    items: { type: 'object' },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'j'],
  });
  const items = [{ k: '' }, { j: '' }, {}, { k: '', j: '' }, { k: 'a,b' }, { k: 'a', j: 'b' }, { j: '', k: '' }];
  expect(validateListTypes(items, schema, 'l').map(({ field, message }) => `${field} ${message}`)).toEqual([
    'l[6] Duplicate value: {"j":"","k":""}',
  ]);
});

test('reports a problem in a schema and its combinations once', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer', maximum: 1, allOf: [{ maximum: 1 }, { maximum: 1 }] } } };
  expect(messagesOf({ a: 2 }, schema)).toEqual([
    'a: Invalid value: 2: a in body should be less than or equal to 1',
    '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
  ]);
});

test('returns an unchanged value without copying', () => {
  const schema = node({ type: 'object', properties: { a: { type: 'array', items: { type: 'object', nullable: true } } } });
  const value = { a: [null, {}] };
  expect(applyDefaults(pruneForbiddenNulls(value, schema), schema)).toBe(value);
});
