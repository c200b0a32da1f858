import { expect, test } from 'vitest';
import { Indexer } from '../../client/index.ts';
import type { appsv1, corev1, metav1 } from '../../schema/api/index.ts';
import { ControlledObjects, ControllerLookup, mapToControllers } from './index.ts';
import { podWith } from './pod.test-support.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';

function replicaSet(name: string, selector: metav1.LabelSelector | null): appsv1.ReplicaSet {
  return {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: { namespace: 'default', name, uid: `uid-${name}` },
    spec: { selector, template: { metadata: {}, spec: { containers: [] } } },
    status: { replicas: 0 },
  };
}

function createLookup(): ControllerLookup<appsv1.ReplicaSet> {
  const store = new Indexer<appsv1.ReplicaSet>();
  const invalid = { matchExpressions: [{ key: 'app', operator: 'Unknown' }] };
  const all = [
    replicaSet('a', { matchLabels: { app: 'a' } }),
    replicaSet('a2', { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] }),
    replicaSet('b', { matchLabels: { app: 'b' } }),
    replicaSet('empty', {}),
    replicaSet('invalid', invalid),
    replicaSet('none', null),
  ];
  for (const one of all) store.set(`default/${one.metadata.name}`, one);
  return new ControllerLookup({ kind: 'ReplicaSet', controllers: { store }, selectorOf: ({ spec }) => spec.selector });
}

function record(): { readonly calls: string[]; readonly handler: ReturnType<typeof mapToControllers<appsv1.ReplicaSet, corev1.Pod>> } {
  const calls: string[] = [];
  const note =
    (call: string) =>
    ({ metadata }: appsv1.ReplicaSet): void =>
      void calls.push(`${call} ${metadata.name}`);
  const handler = mapToControllers<appsv1.ReplicaSet, corev1.Pod>(createLookup(), {
    enqueue: note('enqueue'),
    onCreated: note('created'),
    onDeleted: note('deleted'),
    onUpdated: note('updated'),
  });
  return { calls, handler };
}

const owned = (name: string, more: metav1.ObjectMeta = {}, uid = `uid-${name}`, kind = 'ReplicaSet'): corev1.Pod =>
  podWith({ metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }], ...more } });
const labelled = (app: string): corev1.Pod => podWith({ metadata: { labels: { app } } });

test.each([
  ['of a controller', owned('a'), ['created a', 'enqueue a']],
  ['that is being deleted', owned('a', { deletionTimestamp }), ['deleted a', 'enqueue a']],
  ['of a controller that was replaced', owned('a', {}, 'other'), []],
  ['of a controller of another kind', owned('a', {}, 'uid-a', 'Job'), []],
  ['without controller', labelled('a'), ['enqueue a', 'enqueue a2']],
  ['without controller and labels', podWith(), []],
])('a new pod %s', (_, pod, expected) => {
  const { calls, handler } = record();
  handler.onAdd(pod);
  expect(calls).toEqual(expected);
});

const relabelled = { labels: { app: 'b' } };

test.each([
  ['of a controller', owned('a'), owned('a'), ['enqueue a', 'updated a']],
  ['that is adopted', podWith(), owned('a'), ['enqueue a', 'updated a']],
  ['that is transferred', owned('b'), owned('a'), ['enqueue b', 'enqueue a', 'updated a']],
  ['that is released', owned('b'), labelled('a'), ['enqueue b', 'enqueue a', 'enqueue a2']],
  ['that is deleted', owned('a'), owned('a', { deletionTimestamp }), ['deleted a', 'enqueue a']],
  [
    'that is deleted and relabelled',
    owned('a'),
    owned('b', { deletionTimestamp, ...relabelled }),
    ['deleted b', 'enqueue b', 'deleted a', 'enqueue a'],
  ],
  ['without controller that is relabelled', labelled('a'), labelled('b'), ['enqueue b']],
  ['without controller whose status changes', labelled('a'), labelled('a'), []],
])('a pod %s', (_, old, pod, expected) => {
  const { calls, handler } = record();
  handler.onUpdate(pod, old);
  expect(calls).toEqual(expected);
});

test('a pod that was deleted', () => {
  const { calls, handler } = record();
  handler.onDelete(owned('a', { deletionTimestamp }));
  handler.onDelete(labelled('a'));
  expect(calls).toEqual(['deleted a', 'enqueue a']);
});

test('finds the objects of a controller, and those without one', () => {
  const store = new Indexer<corev1.Pod>();
  const pods = [owned('a', { name: '1' }), owned('b', { name: '2' }), podWith({ metadata: { name: '3' } })];
  const elsewhere = podWith({ metadata: { name: '4', namespace: 'shop' } });
  for (const pod of [...pods, elsewhere]) store.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod);
  const controlled = new ControlledObjects<corev1.Pod>({ store });
  const names = (found: readonly corev1.Pod[]): readonly (string | undefined)[] => found.map(({ metadata }) => metadata.name);
  const a = replicaSet('a', null);
  expect([names(controlled.of(a)), names(controlled.withOrphans(a))]).toEqual([['1'], ['1', '3']]);
});
