import { expect, test } from 'vitest';
import type { KubeObject } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import { filterAll, testFramework, testHandle } from '../plugins/test-handle.test-support.ts';
import { nodeVolumeLimits } from '../plugins/volumes/node-volume-limits.ts';
import { volumeBinding } from '../plugins/volumes/volume-binding.ts';
import { volumeRestrictions } from '../plugins/volumes/volume-restrictions.ts';
import { volumeZone } from '../plugins/volumes/volume-zone.ts';
import { testCache, testNode, testPod } from '../testing.test-support.ts';
import { reservedVolume } from './bind-volumes.ts';
import { findVolume } from './find-volume.ts';

const onNode = (value: string): corev1.VolumeNodeAffinity => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [value] }] }] },
});

const volume = (name: string, spec: Partial<corev1.PersistentVolumeSpec> = {}, labels = {}): corev1.PersistentVolume => ({
  kind: 'PersistentVolume',
  apiVersion: 'v1',
  metadata: { name, labels },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'late', ...spec },
  status: { phase: 'Available' },
});

const claim = (spec: Partial<corev1.PersistentVolumeClaimSpec> = {}, annotations = {}): corev1.PersistentVolumeClaim => ({
  kind: 'PersistentVolumeClaim',
  apiVersion: 'v1',
  metadata: { name: 'data', namespace: 'default', uid: 'uid-data', resourceVersion: '1', annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'late', ...spec },
  status: { phase: 'Pending' },
});

const bound = claim({ volumeName: 'v' }, { 'pv.kubernetes.io/bind-completed': 'yes' });
const storageClass = (provisioner: string, volumeBindingMode = 'WaitForFirstConsumer') =>
  ({ metadata: { name: 'late' }, provisioner, volumeBindingMode }) as unknown as KubeObject;
const user = (name = 'user') => testPod({ name, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });

interface Case {
  readonly plugin: PluginFactory;
  readonly objects: Readonly<Record<string, readonly KubeObject[]>>;
  readonly nodes?: readonly corev1.Node[];
  readonly pods?: Readonly<Record<string, readonly ReturnType<typeof testPod>[]>>;
  readonly results: readonly string[];
}

const never = 'UnschedulableAndUnresolvable: ';
const noVolume = `${never}node(s) didn't find available persistent volumes to bind`;
const csi = { driver: 'example.com/disk', volumeHandle: 'h' };

const cases: Readonly<Record<string, Case>> = {
  'a missing claim': {
    plugin: volumeBinding,
    objects: {},
    results: [`${never}persistentvolumeclaim "data" not found`, `${never}persistentvolumeclaim "data" not found`],
  },
  'a claim that the controller binds': {
    plugin: volumeBinding,
    objects: { persistentvolumeclaims: [claim()], storageclasses: [storageClass('p', 'Immediate')] },
    results: Array(2).fill(`${never}pod has unbound immediate PersistentVolumeClaims`),
  },
  'a bound volume on one node': {
    plugin: volumeBinding,
    objects: { persistentvolumeclaims: [bound], persistentvolumes: [volume('v', { nodeAffinity: onNode('b') })] },
    results: [`${never}node(s) didn't match PersistentVolume's node affinity`, 'fits'],
  },
  'a bound volume that does not exist': {
    plugin: volumeBinding,
    objects: { persistentvolumeclaims: [bound] },
    results: Array(2).fill(`${never}node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)`),
  },
  'an available volume on one node': {
    plugin: volumeBinding,
    objects: {
      persistentvolumeclaims: [claim()],
      persistentvolumes: [volume('v', { nodeAffinity: onNode('b') })],
      storageclasses: [storageClass('kubernetes.io/no-provisioner')],
    },
    results: [noVolume, 'fits'],
  },
  'a volume that is provisioned': {
    plugin: volumeBinding,
    objects: { persistentvolumeclaims: [claim()], storageclasses: [storageClass('example.com/disk')] },
    results: ['fits', 'fits'],
  },
  'a volume that is provisioned for a node already': {
    plugin: volumeBinding,
    objects: {
      persistentvolumeclaims: [claim({}, { 'volume.kubernetes.io/selected-node': 'a' })],
      storageclasses: [storageClass('example.com/disk')],
    },
    results: ['fits', noVolume],
  },
  'storage that is used up': {
    plugin: volumeBinding,
    objects: {
      persistentvolumeclaims: [claim()],
      storageclasses: [storageClass('example.com/disk')],
      csidrivers: [{ metadata: { name: 'example.com/disk' }, spec: { storageCapacity: true } } as unknown as KubeObject],
      csistoragecapacities: [
        {
          metadata: { name: 'c', namespace: 'default' },
          storageClassName: 'late',
          capacity: '5Gi',
          nodeTopology: { matchLabels: { 'kubernetes.io/hostname': 'b' } },
        } as unknown as KubeObject,
      ],
    },
    results: [`${never}node(s) did not have enough free storage`, 'fits'],
  },
  'a zone': {
    plugin: volumeZone,
    objects: {
      persistentvolumeclaims: [bound],
      persistentvolumes: [volume('v', {}, { 'topology.kubernetes.io/zone': 'x__y' })],
    },
    nodes: ['y', 'z'].map((zone, index) => testNode('ab'[index] ?? '', { labels: { 'topology.kubernetes.io/zone': zone } })),
    results: ['fits', `${never}node(s) had no available volume zone`],
  },
  'a claim for one pod only': {
    plugin: volumeRestrictions,
    objects: { persistentvolumeclaims: [claim({ accessModes: ['ReadWriteOncePod'] })] },
    pods: { a: [user('other')] },
    results: Array(2).fill(
      'Unschedulable: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
    ),
  },
  'the limit of a driver': {
    plugin: nodeVolumeLimits,
    objects: {
      persistentvolumeclaims: [bound],
      persistentvolumes: [volume('v', { csi })],
      csinodes: [
        {
          metadata: { name: 'a' },
          spec: { drivers: [{ name: 'example.com/disk', nodeID: 'a', allocatable: { count: 0 } }] },
        } as unknown as KubeObject,
      ],
    },
    results: ['Unschedulable: node(s) exceed max volume count', 'fits'],
  },
  'an attachment of a volume that no pod of the node uses': {
    plugin: nodeVolumeLimits,
    objects: {
      persistentvolumeclaims: [bound],
      persistentvolumes: [volume('v', { csi })],
      csinodes: ['a', 'b'].map(
        (name) =>
          ({
            metadata: { name },
            spec: { drivers: [{ name: 'example.com/disk', nodeID: name, allocatable: { count: 1 } }] },
          }) as unknown as KubeObject,
      ),
      volumeattachments: [
        {
          metadata: { name: 'attachment' },
          spec: { attacher: 'example.com/disk', nodeName: 'a', source: { persistentVolumeName: 'v' } },
        } as unknown as KubeObject,
      ],
    },
    results: ['Unschedulable: node(s) exceed max volume count', 'fits'],
  },
};

test.each(Object.entries(cases))('%s', (_, { plugin, objects, nodes = [testNode('a'), testNode('b')], pods = {}, results }) => {
  const handle = testHandle(testCache(nodes, pods), objects);
  const found = filterAll(testFramework(plugin, handle), handle, user());
  expect(nodes.map(({ metadata }) => found[metadata.name ?? ''])).toEqual(results);
});

test('a claim gets the smallest volume that fits, or the one reserved for it', () => {
  const [large, small, tiny] = [
    volume('large', { capacity: { storage: '9Gi' } }),
    volume('small', { capacity: { storage: '2Gi' } }),
    volume('tiny', { capacity: { storage: '1Mi' } }),
  ];
  const find = (...volumes: readonly corev1.PersistentVolume[]) => findVolume(claim(), volumes, {}, new Set())?.metadata.name;
  expect([find(large, small, tiny), find(tiny), find(volume('shared', { accessModes: ['ReadOnlyMany'] }))]).toEqual([
    'small',
    undefined,
    undefined,
  ]);
  const reserved = volume('reserved', { claimRef: { namespace: 'default', name: 'data' } });
  const taken = volume('taken', { claimRef: { namespace: 'default', name: 'other' } });
  expect([find(small, reserved), find(taken)]).toEqual(['reserved', undefined]);
});

test('reserves a volume for a claim', () => {
  expect(reservedVolume(volume('v'), claim(), 'bound-by')).toMatchObject({
    metadata: { annotations: { 'bound-by': 'yes' } },
    spec: {
      claimRef: {
        kind: 'PersistentVolumeClaim',
        namespace: 'default',
        name: 'data',
        uid: 'uid-data',
        apiVersion: 'v1',
        resourceVersion: '1',
      },
    },
  });
});
