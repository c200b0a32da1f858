import { expect, test } from 'vitest';
import type { metav1 } from '../../schema/api/index.ts';
import { Graph } from './graph.ts';
import type { GraphNode } from './graph-node.ts';
import { IdentityCache } from './identity-cache.ts';
import type { ObjectIdentity } from './object-identity.ts';

function createGraph() {
  const deletions: string[] = [];
  const orphanings: string[] = [];
  const reports: string[] = [];
  const collect = (list: string[]) => ({
    add: ({ identity }: GraphNode) => void list.push(identity.name),
    addRateLimited: ({ identity }: GraphNode) => void list.push(`later ${identity.kind} ${identity.name}`),
  });
  const absentOwners = new IdentityCache(10);
  const graph = new Graph({
    attemptToDelete: collect(deletions),
    attemptToOrphan: collect(orphanings),
    absentOwners,
    onInvalidNamespace: ({ identity }, uid) => void reports.push(`${identity.name} ${uid}`),
  });
  const set = (name: string, more: Partial<metav1.ObjectMeta> = {}, before?: Partial<metav1.ObjectMeta>): void => {
    const metadata = { namespace: 'ns', name, uid: `u-${name}`, ...more };
    graph.set(identity(name, metadata.namespace), metadata, before && { ...metadata, ...before });
  };
  return { graph, set, deletions, orphanings, reports, absentOwners };
}

const identity = (name: string, namespace = 'ns', kind = 'ConfigMap'): ObjectIdentity => ({
  apiVersion: 'v1',
  kind,
  namespace,
  name,
  uid: `u-${name}`,
});
const ownedBy = (name: string, more: Partial<metav1.OwnerReference> = {}): Partial<metav1.ObjectMeta> => ({
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `u-${name}`, ...more }],
});
const deleting = (finalizer: string): Partial<metav1.ObjectMeta> => ({
  deletionTimestamp: '2026-01-01T00:00:00Z',
  finalizers: [finalizer],
});

test('the dependents of a deleted owner are candidates, and its identity is absent', () => {
  const { graph, set, deletions, absentOwners } = createGraph();
  set('owner');
  set('child', ownedBy('owner'));
  expect(deletions).toEqual([]);
  graph.delete(identity('owner'));
  expect(deletions).toEqual(['child']);
  expect(absentOwners.has(identity('owner'))).toBe(true);
});

test('an unknown owner becomes a virtual node until it is observed or found to be absent', () => {
  const { graph, set, deletions } = createGraph();
  set('child', ownedBy('owner'));
  expect(graph.get('u-owner')?.isVirtual).toBe(true);
  set('owner');
  expect(graph.get('u-owner')?.isVirtual).toBe(false);
  set('other', ownedBy('absent'));
  graph.deleteAbsent(identity('absent'));
  expect(graph.get('u-absent')).toBeUndefined();
  expect(deletions).toEqual(['owner', 'absent', 'other']);
});

test('a virtual node gets another identity when dependents disagree about its owner', () => {
  const { graph, set, deletions, absentOwners } = createGraph();
  set('first', ownedBy('owner', { kind: 'Secret' }));
  set('second', ownedBy('owner', { kind: 'Service' }));
  deletions.length = 0;
  graph.deleteAbsent(identity('owner', 'ns', 'Secret'));
  expect(deletions).toEqual(['first', 'later Service owner']);
  expect(absentOwners.has(identity('owner', 'ns', 'Secret'))).toBe(true);
  expect(graph.get('u-owner')?.identity.kind).toBe('Service');
});

test('an absent identity does not remove an owner that was observed under another one', () => {
  const { graph, set, deletions } = createGraph();
  set('owner');
  set('child', ownedBy('owner', { kind: 'Secret' }));
  graph.deleteAbsent(identity('owner', 'ns', 'Secret'));
  expect(graph.get('u-owner')?.identity.kind).toBe('ConfigMap');
  expect(deletions).toEqual(['child', 'child']);
});

test('an owner in another namespace is reported, whichever is observed first', () => {
  const { set, deletions, reports } = createGraph();
  set('owner', { namespace: 'elsewhere' });
  set('late', ownedBy('owner'));
  set('early', ownedBy('next'));
  set('next', { namespace: 'elsewhere' });
  expect(reports).toEqual(['late u-owner', 'early u-next']);
  expect(deletions).toEqual(['late', 'next', 'early']);
});

test('a foreground deletion makes the object and its dependents candidates', () => {
  const { graph, set, deletions } = createGraph();
  set('owner');
  set('child', ownedBy('owner', { blockOwnerDeletion: true }));
  set('owner', deleting('foregroundDeletion'), { finalizers: [] });
  expect(deletions).toEqual(['child', 'owner']);
  expect(graph.get('u-owner')?.isDeletingDependents).toBe(true);
  graph.delete(identity('child'));
  expect(deletions).toEqual(['child', 'owner', 'owner']);
});

test('an owner is a candidate when a reference to it does not block it any more', () => {
  const { set, deletions } = createGraph();
  set('owner');
  set('child', ownedBy('owner', { blockOwnerDeletion: true }));
  set('child', ownedBy('owner', { blockOwnerDeletion: false }));
  expect(deletions).toEqual(['owner']);
});

test('a deletion with the finalizer of orphans is an orphaning', () => {
  const { set, deletions, orphanings } = createGraph();
  set('owner', deleting('orphan'), { finalizers: [] });
  set('owner', deleting('orphan'), deleting('orphan'));
  expect([deletions, orphanings]).toEqual([[], ['owner']]);
});
