import { expect, test } from 'vitest';
import type { JsonObject } from '../../../meta/index.ts';
import { podStatusUpdate } from './pod-status.ts';

const pod = (status: JsonObject): JsonObject => ({ metadata: { name: 'p' }, spec: { nodeName: 'n' }, status });

test('what a status may not become is told in the real words', () => {
  const next = pod({ observedGeneration: -1, nominatedNodeName: 'm', qosClass: 'Guaranteed', resourceClaimStatuses: [{ name: 'a' }] });
  expect(podStatusUpdate(next, pod({ qosClass: 'BestEffort' })).map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    'status.qosClass: Invalid value: "Guaranteed": field is immutable',
    'status.resourceClaimStatuses[0].name: Invalid value: "a": must match the name of an entry in `spec.resourceClaims`',
  ]);
});
