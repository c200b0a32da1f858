import { expect, test } from 'vitest';
import type { ApiObject, JsonObject } from '../meta/index.ts';
import { conditionsAfter, type EmptyingReport } from './namespace-conditions.ts';

const namespace = (conditions: readonly JsonObject[] = []): ApiObject =>
  ({
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name: 'shop' },
    status: { phase: 'Terminating', conditions },
  }) as unknown as ApiObject;
const report = (more: Partial<EmptyingReport> = {}): EmptyingReport => ({
  remaining: new Map(),
  finalizers: new Map(),
  failures: [],
  ...more,
});

test('what is left is told sorted, with its finalizers, and all else is well', () => {
  const remaining = new Map([
    ['pods.', 1],
    ['deployments.apps', 2],
  ]);
  const conditions = conditionsAfter(namespace(), report({ remaining, finalizers: new Map([['example.com/hold', 2]]) }), 'now') ?? [];
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

test('conditions that are there already need no writing, and times only change with a state', () => {
  const failing = report({ failures: ['no'] });
  const first = conditionsAfter(namespace(), failing, 'then') ?? [];
  expect(conditionsAfter(namespace(first), failing, 'now')).toBeUndefined();
  const later = conditionsAfter(namespace(first), report(), 'now') ?? [];
  expect(later.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(['then', 'then', 'now', 'then', 'then']);
});

test('conditions of others stay', () => {
  const other = { type: 'Theirs', status: 'True' };
  expect(conditionsAfter(namespace([other]), report(), 'now')?.[0]).toEqual(other);
});
