import { expect, test } from 'vitest';
import type { corev1, resourcev1 } from '../../schema/api/index.ts';
import { claimNameOf, generatedClaimPrefix, isPodDone, needsWork } from './pod-claims.ts';

interface Given {
  readonly claim: Partial<corev1.PodResourceClaim>;
  readonly statuses?: readonly corev1.PodResourceClaimStatus[];
  readonly nodeName?: string;
}

const podOf = ({ claim, statuses = [], nodeName = '' }: Given): corev1.Pod =>
  ({
    metadata: { name: 'p', uid: 'u' },
    spec: { nodeName, resourceClaims: [{ name: 'r', ...claim }] },
    status: { resourceClaimStatuses: statuses },
  }) as unknown as corev1.Pod;

const template = { resourceClaimTemplateName: 't' };
const generated = [{ name: 'r', resourceClaimName: 'p-r-x' }];
const owned = { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true }] };

test.each<[Given, string | null | undefined]>([
  [{ claim: { resourceClaimName: 'c' } }, 'c'],
  [{ claim: template }, undefined],
  [{ claim: template, statuses: generated }, 'p-r-x'],
  [{ claim: template, statuses: [{ name: 'r' }] }, null],
])('the claim of %j is %j', (given, expected) => {
  const pod = podOf(given);
  expect(claimNameOf(pod, { name: 'r', ...given.claim })).toBe(expected);
});

test.each<[string, Given, object | undefined, boolean]>([
  ['creates a claim', { claim: template }, undefined, true],
  ['creates a deleted claim again', { claim: template, statuses: generated }, undefined, true],
  ['has its claim', { claim: template, statuses: generated }, { metadata: owned }, false],
  ['waits for a claim of a user', { claim: { resourceClaimName: 'c' } }, undefined, false],
  ['reserves', { claim: { resourceClaimName: 'c' }, nodeName: 'n' }, { metadata: {}, status: { allocation: {} } }, true],
  ['waits for an allocation', { claim: { resourceClaimName: 'c' }, nodeName: 'n' }, { metadata: {}, status: {} }, false],
  [
    'has reserved',
    { claim: { resourceClaimName: 'c' }, nodeName: 'n' },
    { metadata: {}, status: { allocation: {}, reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] } },
    false,
  ],
])('a pod %s', (_, given, claim, expected) => {
  expect(needsWork(podOf(given), () => claim as resourcev1.ResourceClaim | undefined)).toBe(expected);
});

test.each([
  ['a', 'b', 'a-b-'],
  ['p'.repeat(60), 'c'.repeat(60), `${'p'.repeat(28)}-${'c'.repeat(28)}`],
])('the names of claims of %s for %s start with %s', (pod, claim, expected) => {
  expect(generatedClaimPrefix(pod, claim)).toBe(expected);
});

test.each([
  [{ phase: 'Running' }, {}, '', false],
  [{ phase: 'Failed' }, {}, 'n', true],
  [{ phase: 'Pending' }, { deletionTimestamp: 'now' }, '', true],
  [{ phase: 'Running' }, { deletionTimestamp: 'now' }, 'n', false],
])('a pod with %j and %j on node %j ended: %s', (status, metadata, nodeName, expected) => {
  expect(isPodDone({ metadata, spec: { nodeName }, status } as unknown as corev1.Pod)).toBe(expected);
});
