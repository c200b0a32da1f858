import { expect, test } from 'vitest';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { templatePatch } from '../history/index.ts';
import { claimOwners, hasUnexpectedController, isClaimOwnerCurrent } from './claim-owners.ts';
import { isInRange, isMemberOf, ordinalOf } from './ordinals.ts';
import { firstUnavailable, mayDeleteCondemned, nextPodsToUpdate, nextPodToUpdate, partitionPods } from './set-plan.ts';
import { applyRevision } from './set-revision.ts';
import { completeUpdate, isStatusStale, statusOf } from './set-status.ts';
import { claimsOf, hasIdentity, hasStorage, revisionOf } from './stateful-pod.ts';

const nowMs = Date.parse('2026-01-01T00:10:00Z');
const product = { rename: (text: string): string => text };

function setOf(spec: Partial<appsv1.StatefulSetSpec> = {}, status: Partial<appsv1.StatefulSetStatus> = {}): appsv1.StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace: 'shop', name: 'db', uid: 'u-db', generation: 3 },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'db' } },
      serviceName: 'db',
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [] } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    status: { replicas: 0, availableReplicas: 0, ...status },
  } as unknown as appsv1.StatefulSet;
}

interface PodFacts {
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly isDeleted?: boolean;
  readonly revision?: string;
  readonly readySince?: string;
}

function pod(
  ordinal: number,
  { phase = 'Running', isReady = true, isDeleted = false, revision = 'new', readySince = '2026-01-01T00:00:00Z' }: PodFacts = {},
): corev1.Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'shop',
      name: `db-${ordinal}`,
      uid: `u-${ordinal}`,
      labels: { 'controller-revision-hash': revision },
      ...(isDeleted ? { deletionTimestamp: '2026-01-01T00:09:00Z' } : {}),
    },
    spec: { containers: [] },
    status: { phase, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: readySince }] },
  } as unknown as corev1.Pod;
}

const names = (pods: readonly corev1.Pod[]): readonly unknown[] => pods.map(({ metadata }) => metadata.name);
const partition = (set: appsv1.StatefulSet, pods: readonly corev1.Pod[]) =>
  partitionPods(pods, { set, revision: 'old' }, { set, revision: 'new' }, product);

test.each([
  ['db-0', 0, true],
  ['db-17', 17, true],
  ['other-db-1', 1, false],
  ['db', -1, false],
  ['db-x', -1, false],
  ['db-99999999999', -1, true],
])('finds the ordinal of %s', (name, ordinal, isMember) => {
  expect(ordinalOf({ metadata: { name } })).toBe(ordinal);
  expect(isMemberOf(setOf(), { metadata: { name } })).toBe(isMember);
});

test('counts ordinals from the start of the set', () => {
  const set = setOf({ ordinals: { start: 5 }, replicas: 2 });
  expect([4, 5, 6, 7].map((ordinal) => isInRange(set, pod(ordinal)))).toEqual([false, true, true, false]);
});

test('makes the missing pods, and condemns those beyond the replicas from the highest on', () => {
  const { replicas, condemned } = partition(setOf(), [pod(4), pod(1), pod(3)]);
  expect(names(replicas)).toEqual(['db-0', 'db-1', 'db-2']);
  expect(replicas.map(({ status }) => status.phase)).toEqual([undefined, 'Running', undefined]);
  expect(names(condemned)).toEqual(['db-4', 'db-3']);
});

test('makes pods below the partition at the current revision', () => {
  const set = setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
  expect(partition(set, []).replicas.map(revisionOf)).toEqual(['old', 'old', 'new']);
  expect(partition(setOf({ updateStrategy: { type: 'OnDelete' } }), []).replicas.map(revisionOf)).toEqual(['new', 'new', 'new']);
});

test('gives a pod its identity and its claims', () => {
  const volumeClaimTemplates = [{ metadata: { name: 'data', labels: { a: 'b' } }, spec: {} }] as unknown as corev1.PersistentVolumeClaim[];
  const volumes = [
    { name: 'data', emptyDir: {} },
    { name: 'tmp', emptyDir: {} },
  ];
  const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [], volumes } } as unknown as corev1.PodTemplateSpec;
  const set = setOf({ volumeClaimTemplates, template, replicas: 1 });
  const [created] = partition(set, []).replicas;
  if (!created) throw new Error('no pod');
  expect(created).toMatchObject({
    metadata: {
      generateName: 'db-',
      name: 'db-0',
      labels: {
        app: 'db',
        'controller-revision-hash': 'new',
        'statefulset.kubernetes.io/pod-name': 'db-0',
        'apps.kubernetes.io/pod-index': '0',
      },
      ownerReferences: [{ kind: 'StatefulSet', uid: 'u-db', controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      hostname: 'db-0',
      subdomain: 'db',
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  });
  expect(hasIdentity(set, created, product)).toBe(true);
  expect(hasStorage(set, created)).toBe(true);
  expect(hasIdentity(set, pod(0), product)).toBe(false);
  expect(hasStorage(set, pod(0))).toBe(false);
  expect(claimsOf(set, created)).toMatchObject([{ metadata: { name: 'data-db-0', namespace: 'shop', labels: { a: 'b', app: 'db' } } }]);
});

test('deletes a condemned pod that is available, or the first unavailable one', () => {
  const set = setOf({ replicas: 1 });
  const pods = partition(set, [pod(0), pod(1, { isReady: false }), pod(2, { isReady: false }), pod(3)]);
  const first = firstUnavailable(set, pods, nowMs);
  expect(first?.metadata.name).toBe('db-1');
  expect(pods.condemned.map((one) => mayDeleteCondemned(set, one, first, nowMs))).toEqual([true, false, true]);
});

test.each<[string, readonly PodFacts[], Partial<appsv1.StatefulSetSpec>, string | undefined]>([
  ['the highest old pod', [{ revision: 'old' }, { revision: 'old' }, {}], {}, 'db-1'],
  ['nothing while an updated pod is unavailable', [{ revision: 'old' }, {}, { isReady: false }], {}, undefined],
  ['nothing while a pod is being deleted', [{ revision: 'old' }, {}, { revision: 'old', isDeleted: true }], {}, undefined],
  ['nothing while a pod is ready for too short', [{ revision: 'old' }, {}, {}], { minReadySeconds: 3600 }, undefined],
  ['an old pod that is not ready', [{ revision: 'old' }, { revision: 'old', isReady: false }, {}], {}, 'db-1'],
  ['nothing when all are updated', [{}, {}, {}], {}, undefined],
  [
    'nothing below the partition',
    [{ revision: 'old' }, {}, {}],
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
    undefined,
  ],
])('updates %s', (_, facts, spec, name) => {
  const replicas = facts.map((one, ordinal) => pod(ordinal, one));
  expect(nextPodToUpdate(setOf(spec), replicas, 'new', nowMs)?.metadata.name).toBe(name);
});

test.each<[number | string, readonly PodFacts[], readonly string[]]>([
  [2, [{ revision: 'old' }, { revision: 'old' }, { revision: 'old' }], ['db-2', 'db-1']],
  [2, [{ revision: 'old' }, { revision: 'old' }, { isReady: false }], ['db-1']],
  [1, [{ revision: 'old' }, { revision: 'old' }, { isReady: false }], []],
  ['70%', [{ revision: 'old' }, { revision: 'old' }, { revision: 'old' }], ['db-2', 'db-1']],
  ['10%', [{ revision: 'old' }, { revision: 'old' }, { revision: 'old' }], ['db-2']],
])('updates at most %s unavailable pods with the gate', (maxUnavailable, facts, expected) => {
  const set = setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } });
  const replicas = facts.map((one, ordinal) => pod(ordinal, one));
  expect(names(nextPodsToUpdate(set, replicas, 'new', nowMs))).toEqual(expected);
});

const revisions = { current: 'old', update: 'new', collisionCount: 1 };

test('counts the pods of a set', () => {
  const pods = [pod(0), pod(1, { revision: 'old', isReady: false }), pod(2, { isDeleted: true }), pod(3, { phase: '' })];
  expect(statusOf(setOf(), pods, revisions, nowMs)).toEqual({
    observedGeneration: 3,
    replicas: 3,
    readyReplicas: 2,
    currentReplicas: 1,
    updatedReplicas: 1,
    currentRevision: 'old',
    updateRevision: 'new',
    collisionCount: 1,
    availableReplicas: 2,
  });
  expect(statusOf(setOf({ minReadySeconds: 3600 }), pods, revisions, nowMs)).toMatchObject({ readyReplicas: 2, availableReplicas: 0 });
});

test('makes the updated revision the current one when all pods are updated and ready', () => {
  const done = statusOf(setOf(), [pod(0), pod(1), pod(2)], revisions, nowMs);
  expect(completeUpdate(setOf(), done)).toMatchObject({ currentRevision: 'new', currentReplicas: 3 });
  const fewer = statusOf(setOf(), [pod(0), pod(1)], revisions, nowMs);
  expect(completeUpdate(setOf(), fewer)).toBe(fewer);
  const onDelete = setOf({ updateStrategy: { type: 'OnDelete' } });
  expect(completeUpdate(onDelete, done)).toBe(done);
});

test('writes a status only when it changes', () => {
  const status = statusOf(setOf(), [pod(0)], revisions, nowMs);
  expect(isStatusStale(setOf(), status)).toBe(true);
  expect(isStatusStale(setOf({}, status), status)).toBe(false);
  expect(isStatusStale(setOf({}, status), { ...status, availableReplicas: 0 })).toBe(true);
});

test('restores the template of a revision', () => {
  const old = setOf({ template: { metadata: { labels: { app: 'old' } }, spec: { containers: [] } } as unknown as corev1.PodTemplateSpec });
  expect(applyRevision(setOf(), { data: templatePatch(old) })).toEqual(old);
  expect(applyRevision(old, { data: null })).toEqual(old);
});

const ownSet = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u-db', controller: true, blockOwnerDeletion: true };
const ownPod = { apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid: 'u-0', controller: true, blockOwnerDeletion: true };
const scaledPod = { ...ownPod, name: 'db-9', uid: 'u-9' };
const foreign = { apiVersion: 'x/v1', kind: 'X', name: 'x', uid: 'u-x', controller: true };

test.each<[string, string, string, number, readonly object[], readonly object[]]>([
  ['keeps all', 'Retain', 'Retain', 0, [], []],
  ['releases', 'Retain', 'Retain', 0, [ownSet], []],
  ['deletes with the set', 'Delete', 'Retain', 0, [], [ownSet]],
  ['deletes with the set also what is scaled down', 'Delete', 'Retain', 9, [], [ownSet]],
  ['deletes with the scaled down pod', 'Retain', 'Delete', 9, [], [scaledPod]],
  ['keeps the claim of a running pod', 'Retain', 'Delete', 0, [ownPod], []],
  ['deletes with the pod instead of the set', 'Delete', 'Delete', 9, [ownSet], [scaledPod]],
  ['deletes with the set when scaled up again', 'Delete', 'Delete', 0, [], [ownSet]],
])('sets the owners of a claim: %s', (_, whenDeleted, whenScaled, ordinal, before, after) => {
  const set = setOf({ persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
  const claim = (ownerReferences: readonly object[]) =>
    ({ metadata: { name: 'c', ownerReferences } }) as unknown as corev1.PersistentVolumeClaim;
  expect(isClaimOwnerCurrent(claim(before), set, pod(ordinal))).toBe(before === after || (before.length === 0 && after.length === 0));
  expect(claimOwners(claim(before), set, pod(ordinal))).toEqual(after);
  expect(isClaimOwnerCurrent(claim(after), set, pod(ordinal))).toBe(true);
});

test('leaves claims of other controllers and of former sets alone', () => {
  const set = setOf({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' } });
  const claim = (...ownerReferences: readonly object[]) =>
    ({ metadata: { name: 'c', ownerReferences } }) as unknown as corev1.PersistentVolumeClaim;
  expect(hasUnexpectedController(claim(foreign), set, pod(0))).toBe(true);
  expect(isClaimOwnerCurrent(claim(foreign), set, pod(0))).toBe(true);
  expect(isClaimOwnerCurrent(claim(foreign, ownSet), set, pod(0))).toBe(false);
  expect(claimOwners(claim(foreign, ownSet), set, pod(0))).toEqual([foreign]);
  expect(isClaimOwnerCurrent(claim({ ...ownSet, uid: 'former' }), set, pod(0))).toBe(true);
  expect(isClaimOwnerCurrent(claim({ ...ownSet, controller: false }), set, pod(0))).toBe(false);
});
