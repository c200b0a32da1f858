import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import type { corev1, storagev1 } from '../../schema/api/index.ts';
import { boundVolume, claimStatus, unboundVolume } from './bound-objects.ts';
import { withMigration } from './sync-volume.ts';
import { defaultClassOf, findVolume, mismatchOf } from './volume-matching.ts';
import { volumeNames } from './volume-names.ts';
import { deletionOf, provisioningOf } from './volume-plugins.ts';

const names = volumeNames(productByName('kubernetes'));

const volumeOf = (name: string, spec: object = {}, metadata: object = {}, phase = 'Available'): corev1.PersistentVolume =>
  ({
    metadata: { name, ...metadata },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'x', ...spec },
    status: { phase },
  }) as unknown as corev1.PersistentVolume;
const claimOf = (spec: object = {}, metadata: object = {}, status: object = {}): corev1.PersistentVolumeClaim =>
  ({
    metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '7', ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'x', resources: { requests: { storage: '1Gi' } }, ...spec },
    status: { phase: 'Pending', ...status },
  }) as unknown as corev1.PersistentVolumeClaim;
const reference = { name: 'p', namespace: 'n' };

test.each<[string, readonly corev1.PersistentVolume[], object, string | undefined]>([
  ['the only one', [volumeOf('a')], {}, 'a'],
  ['the smallest', [volumeOf('a', { capacity: { storage: '3Gi' } }), volumeOf('b', { capacity: { storage: '2Gi' } })], {}, 'b'],
  [
    'the one with the fewest access modes',
    [volumeOf('a', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }), volumeOf('b', { capacity: { storage: '9Gi' } })],
    {},
    'b',
  ],
  ['the one that refers to the claim', [volumeOf('a'), volumeOf('b', { claimRef: reference }, {}, 'Bound')], {}, 'b'],
  ['none of another claim', [volumeOf('a', { claimRef: { name: 'q', namespace: 'n' } })], {}, undefined],
  ['none of another class', [volumeOf('a', { storageClassName: 'y' })], {}, undefined],
  ['none of another mode', [volumeOf('a', { volumeMode: 'Block' })], {}, undefined],
  ['none without the access mode', [volumeOf('a')], { accessModes: ['ReadWriteMany'] }, undefined],
  ['none that is too small', [volumeOf('a')], { resources: { requests: { storage: '2Gi' } } }, undefined],
  ['none that is released', [volumeOf('a', {}, {}, 'Released')], {}, undefined],
  ['none that is deleted', [volumeOf('a', {}, { deletionTimestamp: 'now' })], {}, undefined],
  ['the selected one', [volumeOf('a'), volumeOf('b', {}, { labels: { l: 'v' } })], { selector: { matchLabels: { l: 'v' } } }, 'b'],
])('finds %s', (_, volumes, spec, expected) => {
  expect(findVolume(volumes, claimOf(spec), false, names)?.metadata.name).toBe(expected);
});

test('with delayed binding only a volume that refers to the claim is found', () => {
  expect(findVolume([volumeOf('a')], claimOf(), true, names)).toBeUndefined();
  expect(findVolume([volumeOf('a', { claimRef: reference })], claimOf(), true, names)?.metadata.name).toBe('a');
});

test.each([
  [{}, {}, undefined],
  [{}, { resources: { requests: { storage: '2Gi' } } }, 'requested PV is too small'],
  [{ storageClassName: 'y' }, {}, 'storageClassName does not match'],
  [{ volumeMode: 'Block' }, {}, 'incompatible volumeMode'],
  [{}, { accessModes: ['ReadWriteMany'] }, 'incompatible accessMode'],
  [{ volumeAttributesClassName: 'fast' }, {}, 'volumeAttributesClassName does not match'],
])('a volume with %j for a claim with %j: %s', (volume, claim, expected) => {
  expect(mismatchOf(volumeOf('a', volume), claimOf(claim), names)).toBe(expected);
});

test('binding marks the reference of the controller, and unbinding removes only that', () => {
  const bound = boundVolume(volumeOf('a'), claimOf(), names);
  expect(bound).toMatchObject({
    metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    spec: { claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', name: 'p', namespace: 'n', uid: 'u', resourceVersion: '7' } },
  });
  expect(bound && boundVolume(bound, claimOf(), names)).toBeUndefined();
  expect(bound && unboundVolume(bound, names).spec).not.toHaveProperty('claimRef');
  const reserved = boundVolume(volumeOf('a', { claimRef: reference }), claimOf(), names);
  expect(reserved?.metadata).not.toHaveProperty('annotations');
  expect(reserved && unboundVolume(reserved, names).spec.claimRef).toMatchObject(reference);
  expect(reserved && unboundVolume(reserved, names).spec.claimRef).not.toHaveProperty('uid');
});

test.each([
  ['Bound', {}, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } }],
  ['Bound', { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '900Mi' } }, undefined],
  ['Pending', {}, undefined],
  ['Lost', { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } }, { phase: 'Lost' }],
])('the status of a claim that becomes %s from %j', (phase, status, expected) => {
  expect(claimStatus(claimOf({}, {}, status), phase, phase === 'Bound' ? volumeOf('a') : undefined, names)).toEqual(expected);
});

test('the newest default class is taken', () => {
  const classOf = (name: string, creationTimestamp: string, value = 'true'): storagev1.StorageClass =>
    ({ metadata: { name, creationTimestamp, annotations: { 'storageclass.kubernetes.io/is-default-class': value } } }) as never;
  const classes = [classOf('old', '2026-01-01T00:00:00Z'), classOf('b', '2026-01-02T00:00:00Z'), classOf('a', '2026-01-02T00:00:00Z')];
  expect(defaultClassOf([...classes, classOf('no', '2026-01-03T00:00:00Z', 'false')], names)?.metadata.name).toBe('a');
  expect(defaultClassOf([], names)).toBeUndefined();
});

test.each([
  ['example.com/disk', { provisioner: 'example.com/disk' }],
  ['kubernetes.io/aws-ebs', { provisioner: 'ebs.csi.aws.com' }],
  ['kubernetes.io/no-provisioner', { error: 'no volume plugin matched name: kubernetes.io/no-provisioner' }],
])('%s provisions', (provisioner, expected) => {
  expect(provisioningOf({ provisioner } as storagev1.StorageClass, names)).toEqual(expected);
});

test.each([
  [{ csi: {} }, {}, 'external'],
  [{ hostPath: { path: '/tmp/a' } }, {}, 'deleted'],
  [{ local: { path: '/a' } }, {}, { error: 'error getting deleter volume plugin for volume "a": no volume plugin matched' }],
  [{ nfs: {} }, {}, { error: 'error getting deleter volume plugin for volume "a": no deletable volume plugin matched' }],
  [{ local: {} }, { 'pv.kubernetes.io/provisioned-by': 'example.com/disk' }, 'external'],
])('the deletion of a volume with %j and %j', (spec, annotations, expected) => {
  expect(deletionOf(volumeOf('a', spec, { annotations }), names)).toEqual(expected);
});

test('a volume of a migrated plug-in is left to its driver', () => {
  const provisioned = (plugin: string) => volumeOf('a', {}, { annotations: { 'pv.kubernetes.io/provisioned-by': plugin } });
  expect(withMigration(provisioned('kubernetes.io/gce-pd'), names)?.metadata.annotations).toMatchObject({
    'pv.kubernetes.io/migrated-to': 'pd.csi.storage.gke.io',
  });
  expect(withMigration(provisioned('example.com/disk'), names)).toBeUndefined();
});
