import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject } from '../../meta/index.ts';
import { gatedClaimFields, gatedSliceFields, withoutGatedFields } from './gated-fields.ts';

const device = {
  name: 'd',
  taints: [{ key: 'a' }],
  nodeName: 'n',
  capacity: { 'a.example/memory': { value: '1Gi', requestPolicy: { default: '1Mi' } } },
};

test('drops fields of disabled features inside lists and maps', () => {
  const slice: JsonObject = { spec: { perDeviceNodeSelection: true, devices: [device] } };
  expect(withoutGatedFields(slice, undefined, gatedSliceFields, createFeatureGates())).toEqual({
    spec: { devices: [{ name: 'd', capacity: { 'a.example/memory': { value: '1Gi' } } }] },
  });
});

test('retains fields of a feature that the stored object uses', () => {
  const slice: JsonObject = { spec: { devices: [device] } };
  const old: JsonObject = { spec: { devices: [{ name: 'd', allNodes: true }] } };
  expect(withoutGatedFields(slice, old, gatedSliceFields, createFeatureGates())).toMatchObject({ spec: { devices: [{ nodeName: 'n' }] } });
});

test('a `usedBy` field in the stored object retains the fields of its feature', () => {
  const claim: JsonObject = { spec: { devices: { requests: [{ name: 'r', exactly: { capacity: { requests: { memory: '1Gi' } } } }] } } };
  const old: JsonObject = { spec: { devices: { constraints: [{ distinctAttribute: 'a.example/b' }] } } };
  expect(withoutGatedFields(claim, old, gatedClaimFields, createFeatureGates())).toBe(claim);
  expect(withoutGatedFields(claim, { spec: {} }, gatedClaimFields, createFeatureGates())).not.toEqual(claim);
});
