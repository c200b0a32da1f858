import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject } from '../../meta/index.ts';
import { gatedClaimFields, gatedSliceFields, withoutGatedFields } from './gated-fields.ts';

const device = {
  name: 'd',
  taints: [{ key: 'a' }],
  nodeName: 'n',
  capacity: { 'a.example/memory': { value: '1Gi', requestPolicy: { default: '1Mi' } } },
};

test('fields of features that are off are dropped inside lists and maps', () => {
  const slice: JsonObject = { spec: { perDeviceNodeSelection: true, devices: [device] } };
  expect(withoutGatedFields(slice, undefined, gatedSliceFields, createFeatureGates())).toEqual({
    spec: { devices: [{ name: 'd', capacity: { 'a.example/memory': { value: '1Gi' } } }] },
  });
});

test('they stay where the stored object has one of its feature', () => {
  const slice: JsonObject = { spec: { devices: [device] } };
  const old: JsonObject = { spec: { devices: [{ name: 'd', allNodes: true }] } };
  expect(withoutGatedFields(slice, old, gatedSliceFields, createFeatureGates())).toMatchObject({ spec: { devices: [{ nodeName: 'n' }] } });
});

test('what tells of a feature without being dropped keeps its fields, too', () => {
  const claim: JsonObject = { spec: { devices: { requests: [{ name: 'r', exactly: { capacity: { requests: { memory: '1Gi' } } } }] } } };
  const old: JsonObject = { spec: { devices: { constraints: [{ distinctAttribute: 'a.example/b' }] } } };
  expect(withoutGatedFields(claim, old, gatedClaimFields, createFeatureGates())).toBe(claim);
  expect(withoutGatedFields(claim, { spec: {} }, gatedClaimFields, createFeatureGates())).not.toEqual(claim);
});
