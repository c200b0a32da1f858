import { expect, test } from 'vitest';
import type { ApiObject, Json, JsonObject } from '../../meta/index.ts';
import { scaleErrors } from './scale-rules.ts';

const scale = { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' };

function errors(spec: JsonObject, status: JsonObject = {}, onlyStatus = false): readonly Json[] {
  const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec, status } as ApiObject;
  return scaleErrors(object, scale, onlyStatus).map(({ field, message }) => `${field}: ${message}`);
}

test('replicas must be absent or a number within bounds', () => {
  expect(errors({})).toEqual([]);
  expect(errors({ replicas: 3 })).toEqual([]);
  expect(errors({ replicas: -1 })).toEqual(['.spec.replicas: Invalid value: -1: should be a non-negative integer']);
  expect(errors({ replicas: 2 ** 31 })).toEqual(['.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647']);
  expect(errors({ replicas: 'three' })).toEqual([
    '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: three is of the type string, expected int64',
  ]);
});

test('a status update is not validated against the spec path', () => {
  expect(errors({ replicas: -1 }, { replicas: -2 }, true)).toEqual([
    '.status.replicas: Invalid value: -2: should be a non-negative integer',
  ]);
});

test('the selector must be a string', () => {
  expect(errors({}, { selector: true })).toEqual([
    '.status.selector: Invalid value: "": .status.selector accessor error: true is of the type bool, expected string',
  ]);
});

test('members of a path must be maps, and replicas an integer', () => {
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: ['x', { a: 1 }],
    status: { replicas: 0.5 },
  };
  expect(scaleErrors(object as unknown as ApiObject, scale, false).map(({ message }) => message)).toEqual([
    'Invalid value: 0: .spec.replicas accessor error: [x map[a:1]] is of the type []interface {}, expected map[string]interface{}',
    'Invalid value: 0: .status.replicas accessor error: 0.5 is of the type float64, expected int64',
  ]);
});
