import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../meta/index.ts';
import {
  Correlation,
  listTypeErrors,
  pruneObject,
  readSchemaNode,
  structureErrors,
  validateValue,
  withDefaults,
  withoutNulls,
} from './index.ts';

const node = (schema: JsonObject) => readSchemaNode(schema, 'x-kubernetes-');
const told = (value: Json, schema: JsonObject): readonly string[] =>
  validateValue(value, node(schema), '').map(({ field, message }) => `${field}: ${message}`);

test('a wrong type, a missing member and a limit are told in the real words', () => {
  const schema = {
    type: 'object',
    required: ['n'],
    properties: { s: { type: 'string', maxLength: 2 }, list: { type: 'array', items: { type: 'integer', maximum: 3 } } },
  };
  expect(told({ s: 'abc', list: ['x', 4] }, schema)).toEqual([
    's: Too long: may not be more than 2 bytes',
    'list[0]: Invalid value: "string": list[0] in body must be of type integer: "string"',
    'list[1]: Invalid value: 4: list[1] in body should be less than or equal to 3',
    'n: Required value',
  ]);
});

test('of alternatives the one that fits best is told beside the combination', () => {
  const schema = {
    type: 'object',
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
    properties: { a: { type: 'string' }, b: { type: 'string' } },
  };
  expect(told({}, schema)).toEqual([
    '<nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid',
    'a: Required value',
  ]);
  expect(told({ a: '', b: '' }, schema)).toEqual([
    '<nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
});

test('what has not changed may break a rule that is new', () => {
  const schema = node({ type: 'object', properties: { a: { type: 'string', maxLength: 1 }, b: { type: 'string', maxLength: 1 } } });
  const [old, next] = [
    { a: 'long', b: 'b' },
    { a: 'long', b: 'longer' },
  ];
  expect(validateValue(next, schema, '', new Correlation(next, old, schema)).map(({ field }) => field)).toEqual(['b']);
});

test('members that are not declared go, but for those that are to be kept', () => {
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

test('a null stands where it is allowed or stands for a default, and nowhere else', () => {
  const schema = node({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string', nullable: true }, c: { type: 'string', default: 'd' } },
  });
  expect(withDefaults(withoutNulls({ a: null, b: null, c: null }, schema), schema)).toEqual({ b: null, c: 'd' });
});

test('items of a keyed list are told apart by their keys', () => {
  const schema = node({
    type: 'array',
    items: { type: 'object', properties: { k: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  });
  expect(
    listTypeErrors([{ k: 'a' }, { k: 'b' }, { k: 'a', v: 1 }], schema, 'l').map(({ field, message }) => `${field} ${message}`),
  ).toEqual(['l[2] Duplicate value: {"k":"a"}']);
});

test('a combination may not say what a structure has to', () => {
  const schema = node({ type: 'object', properties: { a: { oneOf: [{ type: 'string' }, { type: 'integer' }] } } });
  expect(structureErrors(schema, 's', 'x-kubernetes-').map(({ field, message }) => `${field}: ${message}`)).toEqual([
    's.properties[a].oneOf[0].type: Forbidden: must be empty to be structural',
    's.properties[a].oneOf[1].type: Forbidden: must be empty to be structural',
    's.properties[a].type: Required value: must not be empty for specified object fields',
  ]);
});

test('values of an enumeration are compared by type and content', () => {
  const schema = { type: 'array', items: { enum: ['1', 2, null, { a: [1] }] } };
  expect(told(['1', 2, null, { a: [1] }], schema)).toEqual([]);
  expect(told([1, '2', { a: [2] }], schema)).toHaveLength(3);
});

test('items of a set are told apart by type and content, and each repetition is told once', () => {
  const schema = node({ type: 'array', items: {}, 'x-kubernetes-list-type': 'set' });
  const items = [1, '1', true, 'true', null, 'null', { a: 1, b: 2 }, '{"a":1,"b":2}', 1, 1, { b: 2, a: 1 }];
  expect(listTypeErrors(items, schema, 'l').map(({ field }) => field)).toEqual(['l[8]', 'l[10]']);
});

test('keys that are absent differ from keys that are empty', () => {
  const schema = node({
    type: 'array',
    items: { type: 'object' },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'j'],
  });
  const items = [{ k: '' }, { j: '' }, {}, { k: '', j: '' }, { k: 'a,b' }, { k: 'a', j: 'b' }, { j: '', k: '' }];
  expect(listTypeErrors(items, schema, 'l').map(({ field, message }) => `${field} ${message}`)).toEqual([
    'l[6] Duplicate value: {"j":"","k":""}',
  ]);
});

test('the same problem in a schema and its combinations is one', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer', maximum: 1, allOf: [{ maximum: 1 }, { maximum: 1 }] } } };
  expect(told({ a: 2 }, schema)).toEqual([
    'a: Invalid value: 2: a in body should be less than or equal to 1',
    '<nil>: Invalid value: "": "a" must validate all the schemas (allOf). None validated',
  ]);
});

test('a value in which nothing changes is not copied', () => {
  const schema = node({ type: 'object', properties: { a: { type: 'array', items: { type: 'object', nullable: true } } } });
  const value = { a: [null, {}] };
  expect(withDefaults(withoutNulls(value, schema), schema)).toBe(value);
});
