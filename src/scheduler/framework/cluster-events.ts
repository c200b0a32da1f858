import type { KubeObject } from '../../client/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { PodInfo } from './pod-info.ts';

/** What a change in the cluster is about. */
export type EventResource =
  | 'AssignedPod'
  | 'UnscheduledPod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass';

/** The kinds of changes, as bits. Cf. pkg/scheduler/framework ActionType. */
export const actions = {
  add: 1,
  delete: 2,
  updateNodeAllocatable: 4,
  updateNodeLabel: 8,
  updateNodeTaint: 16,
  updateNodeCondition: 32,
  updateNodeAnnotation: 64,
  updatePodLabel: 128,
  updatePodScaleDown: 256,
  updatePodToleration: 512,
  updatePodSchedulingGatesEliminated: 1024,
  updatePodGeneratedResourceClaim: 2048,
  updateOther: 4096,
} as const;

/** Every change but additions and deletions. */
export const anyUpdate = 0b1_1111_1111_1100;

/** A change in the cluster that may make pods schedulable. */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly action: number;
}

/** Whether a change may make the pod schedulable, so that it is queued again. Cf. QueueingHintFn. */
export type QueueingHint = (pod: PodInfo, old: KubeObject | undefined, current: KubeObject | undefined) => boolean;

/** A change that may make pods schedulable that a plugin rejected. */
export interface EventRegistration {
  readonly resource: EventResource;
  readonly actions: number;
  /** Default: pods are queued again after any such change. */
  readonly hint?: QueueingHint;
}

/** A hint about changes of nodes; `node` is the new state. */
export function nodeHint(decide: (pod: PodInfo, node: corev1.Node, old: corev1.Node | undefined) => boolean): QueueingHint {
  return (pod, old, current) => current === undefined || decide(pod, current as corev1.Node, old as corev1.Node | undefined);
}

/** A hint about changes of pods. */
export function podHint(decide: (pod: PodInfo, current: corev1.Pod | undefined, old: corev1.Pod | undefined) => boolean): QueueingHint {
  return (pod, old, current) => decide(pod, current as corev1.Pod | undefined, old as corev1.Pod | undefined);
}

/** A hint about updates of objects of another kind; additions and deletions are always worth a retry. */
export function updateHint<T extends KubeObject>(decide: (current: T, old: T, pod: PodInfo) => boolean): QueueingHint {
  return (pod, old, current) => !old || !current || decide(current as T, old as T, pod);
}

export function matchesEvent({ resource, actions }: EventRegistration, event: ClusterEvent): boolean {
  return resource === event.resource && (actions & event.action) !== 0;
}
