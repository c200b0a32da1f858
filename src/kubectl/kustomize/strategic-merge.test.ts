import { expect, test } from 'vitest';
import { readOpenApiSchemas } from './openapi-schemas.ts';
import { mergeStrategically } from './strategic-merge.ts';

const definitions = `
definitions:
  Thing:
    x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Thing}]
    properties:
      named: {type: array, x-kubernetes-patch-strategy: merge, x-kubernetes-patch-merge-key: name, items: {$ref: '#/definitions/Item'}}
      ports: {type: array, x-kubernetes-patch-strategy: merge, x-kubernetes-list-map-keys: [port, protocol]}
      values: {type: array, x-kubernetes-patch-strategy: merge}
  Item:
    properties:
      values: {type: array, x-kubernetes-patch-strategy: merge}
`;
const schema = readOpenApiSchemas(definitions)('example.com/v1', 'Thing');

test('items with one key come in the order of the patch, before the others', () => {
  const before = { named: [{ name: 'a', values: [1] }, { name: 'b' }, { name: 'c' }] };
  const patch = { named: [{ name: 'd' }, { name: 'b', $patch: 'delete' }, { name: 'a', values: [2] }] };
  expect(mergeStrategically(before, patch, schema)).toEqual({ named: [{ name: 'd' }, { name: 'a', values: [2, 1] }, { name: 'c' }] });
});

test('items with several keys stay where they are, and a missing key fits', () => {
  const before = { ports: [{ port: 80, protocol: 'TCP' }, { port: 81 }] };
  const patch = {
    ports: [
      { port: 81, name: 'x' },
      { port: 53, protocol: 'UDP' },
      { port: 80, name: 'y' },
    ],
  };
  expect(mergeStrategically(before, patch, schema)).toEqual({
    ports: [
      { port: 53, protocol: 'UDP' },
      { port: 80, protocol: 'TCP', name: 'y' },
      { port: 81, name: 'x' },
    ],
  });
});

test('lists of unknown fields are replaced, and null removes a field', () => {
  expect(mergeStrategically({ list: [1], removed: 1, values: [1] }, { list: [2], removed: null }, undefined)).toEqual({
    list: [2],
    values: [1],
  });
});

test('a value of another kind is an error', () => {
  expect(() => mergeStrategically({ a: 1 }, { a: { b: 'c' } }, schema)).toThrow('expected ScalarNode but got MappingNode');
});
