import { expect, test } from 'vitest';
import type { corev1 } from '../../schema/api/index.ts';
import { type ContentDeletionReport, updateConditions } from './namespace-conditions.ts';

const namespace = (conditions: readonly corev1.NamespaceCondition[] = []): corev1.Namespace => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name: 'shop' },
  spec: {},
  status: { phase: 'Terminating', conditions },
});
const report = (more: Partial<ContentDeletionReport> = {}): ContentDeletionReport => ({
  remaining: new Map(),
  finalizers: new Map(),
  stale: [],
  failures: [],
  ...more,
});

test('reports remaining objects and finalizers sorted, and all other conditions as good', () => {
  const remaining = new Map([
    ['pods.', 1],
    ['deployments.apps', 2],
  ]);
  const conditions = updateConditions(namespace(), report({ remaining, finalizers: new Map([['example.com/hold', 2]]) }), 'now') ?? [];
  expect(conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
    'NamespaceDeletionDiscoveryFailure=False',
    'NamespaceDeletionGroupVersionParsingFailure=False',
    'NamespaceDeletionContentFailure=False',
    'NamespaceContentRemaining=True',
    'NamespaceFinalizersRemaining=True',
  ]);
  expect(conditions.slice(3).map(({ message }) => message)).toEqual([
    'Some resources are remaining: deployments.apps has 2 resource instances, pods. has 1 resource instances',
    'Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances',
  ]);
});

test('returns undefined for unchanged conditions, and changes lastTransitionTime only with the status', () => {
  const failing = report({ failures: ['no'] });
  const first = updateConditions(namespace(), failing, 'then') ?? [];
  expect(updateConditions(namespace(first), failing, 'now')).toBeUndefined();
  const later = updateConditions(namespace(first), report(), 'now') ?? [];
  expect(later.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(['then', 'then', 'now', 'then', 'then']);
});

test('reports failed deletions and undiscovered versions sorted', () => {
  const conditions = updateConditions(namespace(), report({ stale: ['b/v1: no', 'a/v1: no'], failures: ['y', 'x'] }), 'now') ?? [];
  expect(conditions.slice(0, 3).map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'DiscoveryFailed: Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: a/v1: no, b/v1: no',
    'ParsedGroupVersions: All legacy kube types successfully parsed',
    'ContentDeletionFailed: Failed to delete all resource types, 2 remaining: x, y',
  ]);
});

test('retains conditions of others', () => {
  const other = { type: 'Theirs', status: 'True', lastTransitionTime: null };
  expect(updateConditions(namespace([other]), report(), 'now')?.[0]).toEqual(other);
});
