import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog } from '../catalog.ts';
import { convertUntyped } from './convert-untyped.ts';
import { DecodeError } from './decode-error.ts';

const deployment = createCatalog(productByName('kubernetes')).type('apps/v1.Deployment');
const converted = (object: JsonObject): unknown => convertUntyped(deployment, object);
const ofPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

test.each<[JsonObject, string]>([
  [{ spec: 'x' }, 'cannot restore struct from: string'],
  [{ spec: [] }, 'cannot restore struct from: slice'],
  [{ spec: 1 }, 'cannot restore struct from: int64'],
  [{ spec: { replicas: 'x' } }, 'unrecognized type: int32'],
  [{ spec: { replicas: {} } }, 'unrecognized type: int32'],
  [{ spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
  [{ spec: { paused: 1 } }, 'unrecognized type: bool'],
  [{ apiVersion: 1 }, 'cannot convert int64 to string'],
  [{ kind: {} }, 'unrecognized type: string'],
  [{ metadata: { labels: 'x' } }, 'cannot restore map from string'],
  [{ metadata: { labels: { a: 1 } } }, 'cannot convert int64 to string'],
  [{ metadata: { creationTimestamp: 1 } }, 'json: cannot unmarshal number into Go value of type string'],
  [{ metadata: { creationTimestamp: 'x' } }, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  [ofPod({ containers: 'x' }), 'cannot restore slice from string'],
  [ofPod({ containers: {} }), 'cannot restore slice from map'],
  [ofPod({ restartPolicy: 1 }), 'cannot convert int64 to v1.RestartPolicy'],
  [ofPod({ restartPolicy: true }), 'unrecognized type: string'],
  [{ spec: { strategy: { rollingUpdate: { maxSurge: true } } } }, 'json: cannot unmarshal bool into Go value of type int32'],
  [{ spec: { strategy: { rollingUpdate: { maxSurge: 1.5 } } } }, 'json: cannot unmarshal number 1.5 into Go value of type int32'],
])('rejects %j with the message of the real converter', (object, message) => {
  expect(() => converted(object)).toThrow(new DecodeError(message));
});

test.each<[JsonObject, JsonObject]>([
  [{ spec: { replicas: 99999999999 } }, { spec: { replicas: 1215752191 } }],
  [{ spec: { replicas: 99999999999999999999n } }, { spec: { replicas: 0 } }],
  [{ spec: { replicas: null, foo: { bar: 1 } } }, { spec: { replicas: null, foo: { bar: 1 } } }],
  [{ spec: { strategy: { rollingUpdate: { maxSurge: '25%' } } } }, { spec: { strategy: { rollingUpdate: { maxSurge: '25%' } } } }],
])('converts $0 to the types of its fields', (object, result) => {
  expect(converted(object)).toEqual(result);
});

test('unchanged parts are shared, and those of a converted object are not visited', () => {
  const template = { spec: { containers: [{ name: 'c' }] } };
  const object = { metadata: { labels: { a: '1' } }, spec: { replicas: 99999999999, template } };
  const { metadata, spec } = convertUntyped(deployment, object) as { readonly metadata: object; readonly spec: JsonObject };
  expect(metadata).toBe(object.metadata);
  expect(spec['template']).toBe(template);
  const known = { spec: { paused: 1 } };
  expect(convertUntyped(deployment, { ...known }, known)).toEqual(known);
});
