import { cacheKeyOf, type InformerFactory, type KubeObject, type SharedInformer } from '../client/index.ts';
import type { ApiResource, corev1 } from '../schema/api/index.ts';
import {
  corev1Namespaces,
  corev1Nodes,
  corev1PersistentVolumeClaims,
  corev1PersistentVolumes,
  resourcev1DeviceClasses,
  resourcev1ResourceClaims,
  resourcev1ResourceSlices,
  storagev1CSIDrivers,
  storagev1CSINodes,
  storagev1CSIStorageCapacities,
  storagev1StorageClasses,
  storagev1VolumeAttachments,
} from '../schema/api/index.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import type { WaitingPodMap } from './cycle/waiting-pods.ts';
import { actions, anyUpdate, type EventResource } from './framework/cluster-events.ts';
import { PodInfo, podIdentity } from './framework/pod-info.ts';
import { nodeChanges } from './queue/node-changes.ts';
import { podChanges } from './queue/pod-changes.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

export interface WatchOptions {
  readonly informers: InformerFactory;
  readonly pods: SharedInformer<corev1.Pod>;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly waiting: WaitingPodMap;
  /** Whether a pod belongs to one of the profiles. */
  readonly isResponsible: (pod: corev1.Pod) => boolean;
  /** The resources that plugins depend on. */
  readonly resources: ReadonlySet<EventResource>;
}

/** Resources whose changes only matter for the plugins. */
const watchedResources: Readonly<Partial<Record<EventResource, ApiResource<KubeObject>>>> = {
  PersistentVolume: corev1PersistentVolumes,
  PersistentVolumeClaim: corev1PersistentVolumeClaims,
  StorageClass: storagev1StorageClasses,
  CSINode: storagev1CSINodes,
  CSIDriver: storagev1CSIDrivers,
  CSIStorageCapacity: storagev1CSIStorageCapacities,
  VolumeAttachment: storagev1VolumeAttachments,
  ResourceClaim: resourcev1ResourceClaims,
  ResourceSlice: resourcev1ResourceSlices,
  DeviceClass: resourcev1DeviceClasses,
};

/** Follows the cluster in the cache and the queue; resolves when the caches are complete. Cf. addAllEventHandlers. */
export async function watchCluster(options: WatchOptions): Promise<void> {
  const { informers, pods, resources } = options;
  const nodes = informers.informer(corev1Nodes);
  watchPods(options);
  watchNodes(options, nodes);
  const watched: Pick<SharedInformer<KubeObject>, 'synced'>[] = [pods, nodes, informers.informer(corev1Namespaces)];
  for (const [name, resource] of Object.entries(watchedResources)) {
    if (!resources.has(name as EventResource)) continue;
    const informer = informers.informer(resource);
    watchResource(options, name as EventResource, informer);
    watched.push(informer);
  }
  await Promise.all(watched.map(({ synced }) => synced));
}

function watchResource({ queue }: WatchOptions, resource: EventResource, informer: SharedInformer<KubeObject>): void {
  informer.addHandler({
    onAdd: (object) => queue.moveAll({ resource, action: actions.add }, undefined, object),
    onUpdate: (object, old) => queue.moveAll({ resource, action: anyUpdate }, old, object),
    onDelete: (object) => queue.moveAll({ resource, action: actions.delete }, object),
  });
}

function watchNodes({ cache, queue }: WatchOptions, nodes: SharedInformer<corev1.Node>): void {
  nodes.addHandler({
    onAdd(node) {
      cache.setNode(node);
      queue.moveAll({ resource: 'Node', action: actions.add }, undefined, node);
    },
    onUpdate(node, old) {
      cache.setNode(node);
      for (const event of nodeChanges(node, old)) queue.moveAll(event, old, node);
    },
    onDelete: ({ metadata }) => cache.removeNode(metadata.name ?? ''),
  });
}

const isAssigned = ({ spec }: corev1.Pod): boolean => (spec.nodeName ?? '') !== '';

function watchPods(options: WatchOptions): void {
  const { pods, queue, isResponsible } = options;
  const isUnscheduled = (pod: corev1.Pod): boolean => !isAssigned(pod) && isResponsible(pod);
  pods.addHandler({
    onAdd(pod) {
      if (isAssigned(pod)) addAssigned(options, pod);
      else if (isResponsible(pod)) queue.add(new PodInfo(pod));
    },
    onUpdate(pod, old) {
      if (isAssigned(pod) && isAssigned(old)) updateAssigned(options, pod, old);
      else if (isAssigned(pod) && isUnscheduled(old)) bindUnscheduled(options, pod, old);
      else if (isAssigned(pod)) addAssigned(options, pod);
      else if (isResponsible(pod)) updateUnscheduled(options, pod, old);
    },
    onDelete(pod) {
      if (isAssigned(pod)) deleteAssigned(options, pod);
      else if (isResponsible(pod)) deleteUnscheduled(options, pod);
    },
  });
}

function addAssigned({ cache, queue }: WatchOptions, pod: corev1.Pod): void {
  const info = new PodInfo(pod);
  cache.setPod(info);
  queue.nominated.remove(info);
  queue.moveAll({ resource: 'AssignedPod', action: actions.add }, undefined, pod);
}

function bindUnscheduled(options: WatchOptions, pod: corev1.Pod, old: corev1.Pod): void {
  options.queue.delete(podIdentity(old));
  addAssigned(options, pod);
  // It may be on another node than the one that it was nominated to.
  if (old.status.nominatedNodeName) freeNomination(options.queue, old);
}

function updateAssigned({ cache, queue }: WatchOptions, pod: corev1.Pod, old: corev1.Pod): void {
  cache.setPod(new PodInfo(pod));
  for (const event of podChanges(pod, old, 'AssignedPod')) queue.moveAll(event, old, pod);
}

function deleteAssigned({ cache, queue }: WatchOptions, pod: corev1.Pod): void {
  cache.removePod(cacheKeyOf(pod));
  queue.moveAll({ resource: 'AssignedPod', action: actions.delete }, pod);
}

function updateUnscheduled({ cache, queue }: WatchOptions, pod: corev1.Pod, old: corev1.Pod): void {
  const info = new PodInfo(pod);
  if (cache.isAssumed(info)) return;
  queue.update(new PodInfo(old), info);
  const nominated = old.status.nominatedNodeName ?? '';
  if (nominated !== '' && nominated !== pod.status.nominatedNodeName) freeNomination(queue, old);
}

function deleteUnscheduled({ cache, queue, waiting }: WatchOptions, pod: corev1.Pod): void {
  const info = podIdentity(pod);
  const isNominated = queue.nominated.nodeOf(info.uid) !== undefined;
  queue.delete(info);
  const wasWaiting = waiting.reject(info.uid, '', 'removed');
  if (cache.isAssumed(info)) cache.forget(info);
  if (wasWaiting || isNominated) freeNomination(queue, pod);
}

/** The resources of a nominated pod are free for pods of the same or a lower priority. */
function freeNomination(queue: SchedulingQueue, pod: corev1.Pod): void {
  const event = { resource: 'AssignedPod', action: actions.delete } as const;
  queue.moveAll(event, pod, undefined, ({ priority }) => priority <= (pod.spec.priority ?? 0));
}
