import { expect, test } from 'vitest';
import type { KubeObject } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { EventResource } from '../framework/cluster-events.ts';
import type { PluginFactory } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { testCache, testNode, testPod } from '../testing.test-support.ts';
import { nodeResourcesFit } from './node-resources/node-resources-fit.ts';
import { interPodAffinity } from './pod-placement/inter-pod-affinity.ts';
import { testHandle } from './test-handle.test-support.ts';
import { nodeVolumeLimits } from './volumes/node-volume-limits.ts';
import { volumeBinding } from './volumes/volume-binding.ts';
import { volumeZone } from './volumes/volume-zone.ts';

const terms = { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: 'zone' }] };
const near = testPod({ affinity: { podAffinity: terms } });
const apart = testPod({ affinity: { podAntiAffinity: terms } });
const plain = testPod();
const withVolume = (volume: object): PodInfo => testPod({ volumes: [{ name: 'v', ...volume }] as unknown as readonly corev1.Volume[] });
const inZone = (zone?: string): KubeObject => testNode('a', { labels: { ...(zone === undefined ? {} : { zone }) } });
const objectOf = (fields: object, metadata: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'o', ...metadata }, ...fields }) as unknown as KubeObject;
const csiNode = (count?: number): KubeObject => objectOf({ spec: { drivers: [{ name: 'd', nodeID: 'n', allocatable: { count } }] } });
const migrated = (plugins: string): KubeObject =>
  objectOf({ spec: {} }, { annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': plugins } });
const driver = (storageCapacity: boolean): KubeObject => objectOf({ spec: { storageCapacity } }, { name: 'd' });
const requesting = (cpu: string, memory: string): KubeObject => testPod({ requests: { cpu, memory } }).pod;

// As kube-scheduler 1.34.4 with SchedulerQueueingHints.
test.each<[string, PluginFactory, EventResource, PodInfo, KubeObject | undefined, KubeObject | undefined, boolean]>([
  ['a node with the topology key is added', interPodAffinity, 'Node', near, undefined, inZone('1'), true],
  ['a node without the topology key is added', interPodAffinity, 'Node', near, undefined, inZone(), false],
  ['a node gets the topology key', interPodAffinity, 'Node', near, inZone(), inZone('1'), true],
  ['a node moves to another domain', interPodAffinity, 'Node', near, inZone('1'), inZone('2'), true],
  ['a node leaves its domain', interPodAffinity, 'Node', near, inZone('1'), inZone(), false],
  ['a node is added, and the pod has anti-affinity', interPodAffinity, 'Node', apart, undefined, inZone(), true],
  ['a node leaves a domain of the anti-affinity', interPodAffinity, 'Node', apart, inZone('1'), inZone(), true],
  ['a node gets the topology key of the anti-affinity', interPodAffinity, 'Node', apart, inZone(), inZone('1'), false],
  ['a node moves, and the pod has no affinity', interPodAffinity, 'Node', plain, inZone('1'), inZone('2'), false],
  [
    'a pod requests less',
    nodeResourcesFit,
    'AssignedPod',
    testPod({ requests: { cpu: '1' } }),
    requesting('2', '1Gi'),
    requesting('1', '1Gi'),
    true,
  ],
  [
    'a pod requests less of another resource',
    nodeResourcesFit,
    'AssignedPod',
    testPod({ requests: { cpu: '1' } }),
    requesting('2', '2Gi'),
    requesting('2', '1Gi'),
    false,
  ],
  ['a pod is deleted', nodeResourcesFit, 'AssignedPod', plain, requesting('2', '2Gi'), undefined, true],
  [
    'the topologies of a class change',
    volumeBinding,
    'StorageClass',
    plain,
    objectOf({ allowedTopologies: [] }),
    objectOf({ allowedTopologies: [{}] }),
    true,
  ],
  [
    'another field of a class changes',
    volumeBinding,
    'StorageClass',
    plain,
    objectOf({ allowVolumeExpansion: false }),
    objectOf({ allowVolumeExpansion: true }),
    false,
  ],
  ['a class is added', volumeBinding, 'StorageClass', plain, undefined, objectOf({}), true],
  ['the migrated plugins of a node change', volumeBinding, 'CSINode', plain, migrated('a'), migrated('a,b'), true],
  ['the drivers of a node change', volumeBinding, 'CSINode', plain, csiNode(1), csiNode(2), false],
  [
    'a driver of an inline volume ends its capacities',
    volumeBinding,
    'CSIDriver',
    withVolume({ csi: { driver: 'd' } }),
    driver(true),
    driver(false),
    true,
  ],
  ['a driver publishes capacities', volumeBinding, 'CSIDriver', withVolume({ csi: { driver: 'd' } }), driver(false), driver(true), false],
  [
    'a driver of others ends its capacities',
    volumeBinding,
    'CSIDriver',
    withVolume({ csi: { driver: 'e' } }),
    driver(true),
    driver(false),
    false,
  ],
  ['a capacity grows', volumeBinding, 'CSIStorageCapacity', plain, objectOf({ capacity: '1Gi' }), objectOf({ capacity: '2Gi' }), true],
  ['a capacity becomes known', volumeBinding, 'CSIStorageCapacity', plain, objectOf({}), objectOf({ maximumVolumeSize: '0' }), true],
  [
    'the largest volume becomes smaller',
    volumeBinding,
    'CSIStorageCapacity',
    plain,
    objectOf({ capacity: '2Gi' }),
    objectOf({ capacity: '4Gi', maximumVolumeSize: '1Gi' }),
    false,
  ],
  [
    'a class is added whose volumes are bound later',
    volumeZone,
    'StorageClass',
    plain,
    undefined,
    objectOf({ volumeBindingMode: 'WaitForFirstConsumer' }),
    true,
  ],
  [
    'a class is added whose volumes are bound at once',
    volumeZone,
    'StorageClass',
    plain,
    undefined,
    objectOf({ volumeBindingMode: 'Immediate' }),
    false,
  ],
  [
    'a volume moves to another zone',
    volumeZone,
    'PersistentVolume',
    plain,
    objectOf({}),
    objectOf({}, { labels: { 'topology.kubernetes.io/zone': 'a' } }),
    true,
  ],
  ['another label of a volume changes', volumeZone, 'PersistentVolume', plain, objectOf({}), objectOf({}, { labels: { a: 'b' } }), false],
  ['a driver attaches more volumes', nodeVolumeLimits, 'CSINode', plain, csiNode(1), csiNode(2), true],
  ['a driver attaches fewer volumes', nodeVolumeLimits, 'CSINode', plain, csiNode(2), csiNode(), false],
  [
    'a volume is detached',
    nodeVolumeLimits,
    'VolumeAttachment',
    withVolume({ persistentVolumeClaim: { claimName: 'c' } }),
    objectOf({}),
    undefined,
    true,
  ],
  ['a volume is detached, and the pod has none', nodeVolumeLimits, 'VolumeAttachment', plain, objectOf({}), undefined, false],
])('a pod is retried when %s: %#', (_, createPlugin, resource, pod, old, current, expected) => {
  const { events = [] } = createPlugin(testHandle(testCache([])), undefined);
  const registration = events.find((one) => one.resource === resource);
  expect(registration?.hint?.(pod, old, current)).toBe(expected);
});
