// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** An immutable snapshot of a template, which stateful sets and daemon sets use for updates and rollbacks. */
export interface ControllerRevision {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** The snapshot, as a patch of the object. */
  readonly data: JsonObject | null;
  /** Number of the revision. Higher numbers are newer. */
  readonly revision: number;
}

/** Runs one pod on each node. */
export interface DaemonSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DaemonSetSpec;
  readonly status: DaemonSetStatus;
}

/** DaemonSetCondition is one aspect of the state of a daemon set. */
export interface DaemonSetCondition {
  /** Type of the condition. Controllers other than the built-in one set it. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a daemon set. */
export interface DaemonSetSpec {
  /** Selector of the pods of the set. Must match the labels of the template. Immutable. */
  readonly selector: metav1.LabelSelector | null;
  /** Template of the pods. Its node selector and affinity choose the nodes; without them, all. The only restartPolicy is Always. */
  readonly template: corev1.PodTemplateSpec;
  /** How pods are replaced when the template changes. */
  readonly updateStrategy: DaemonSetUpdateStrategy;
  /** Seconds that a new pod must be ready, without a crash of its containers, before it counts as available. Default: 0, available as soon as it is ready. */
  readonly minReadySeconds?: number;
  /** Number of old revisions of the template that are retained for rollbacks. Default: 10. */
  readonly revisionHistoryLimit?: number;
}

/** Observed state of a daemon set. */
export interface DaemonSetStatus {
  /** Number of nodes that run the pod and should. */
  readonly currentNumberScheduled: number;
  /** Number of nodes that run the pod and should not. */
  readonly numberMisscheduled: number;
  /** Number of nodes that should run the pod. */
  readonly desiredNumberScheduled: number;
  /** Number of nodes that should run the pod and have a ready one. */
  readonly numberReady: number;
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Number of nodes that run the pod of the current template. */
  readonly updatedNumberScheduled?: number;
  /** Number of nodes whose pod has been ready for minReadySeconds. */
  readonly numberAvailable?: number;
  /** Number of nodes that should run the pod and have none that is available. */
  readonly numberUnavailable?: number;
  /** Number of hash collisions so far. Used by the controller to find a free name for a new revision. */
  readonly collisionCount?: number;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly DaemonSetCondition[];
}

/** DaemonSetUpdateStrategy determines how pods are replaced when the template changes. */
export interface DaemonSetUpdateStrategy {
  /** RollingUpdate replaces the pods gradually, OnDelete only those that are deleted. Default: RollingUpdate. */
  readonly type?: string;
  /** Settings of a rolling update. Only for type RollingUpdate. */
  readonly rollingUpdate?: RollingUpdateDaemonSet;
}

/** Runs replicas of a pod, and replaces them gradually when the template changes. */
export interface Deployment {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DeploymentSpec;
  readonly status: DeploymentStatus;
}

/** DeploymentCondition is one aspect of the state of a deployment. */
export interface DeploymentCondition {
  /** Type of the condition: Available, Progressing or ReplicaFailure. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition was updated. */
  readonly lastUpdateTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a deployment. */
export interface DeploymentSpec {
  /** Desired number of pods. Default: 1. */
  readonly replicas?: number;
  /** Selector of the pods of the deployment. Must match the labels of the template. Immutable. */
  readonly selector: metav1.LabelSelector | null;
  /** Template of the pods. The only restartPolicy is Always. */
  readonly template: corev1.PodTemplateSpec;
  /** How existing pods are replaced by new ones. */
  readonly strategy: DeploymentStrategy;
  /** Seconds that a new pod must be ready, without a crash of its containers, before it counts as available. Default: 0, available as soon as it is ready. */
  readonly minReadySeconds?: number;
  /** Number of old replica sets that are retained for rollbacks. Default: 10. */
  readonly revisionHistoryLimit?: number;
  /** Whether changes of the template are not rolled out. Default: false. */
  readonly paused?: boolean;
  /** Seconds without progress after which the rollout has failed, as the condition Progressing shows. Must be above minReadySeconds. Default: 600. */
  readonly progressDeadlineSeconds?: number;
}

/** Observed state of a deployment. */
export interface DeploymentStatus {
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Number of pods that exist and are not being deleted, of all revisions. */
  readonly replicas?: number;
  /** Number of pods of the current template. */
  readonly updatedReplicas?: number;
  /** Number of pods with a true Ready condition. */
  readonly readyReplicas?: number;
  /** Number of pods that have been ready for minReadySeconds. */
  readonly availableReplicas?: number;
  /** Number of pods that are missing or not available. */
  readonly unavailableReplicas?: number;
  /** Number of pods that are terminating. */
  readonly terminatingReplicas?: number;
  /** Conditions of the deployment: Available, Progressing and ReplicaFailure. */
  readonly conditions?: readonly DeploymentCondition[];
  /** Number of hash collisions so far. Used by the controller to find a free name for a new revision. */
  readonly collisionCount?: number;
}

/** How existing pods are replaced by new ones. */
export interface DeploymentStrategy {
  /** RollingUpdate for gradually, Recreate to delete all old pods first. Default: RollingUpdate. */
  readonly type?: string;
  /** Settings of a rolling update. Only for type RollingUpdate. */
  readonly rollingUpdate?: RollingUpdateDeployment;
}

/** Runs a number of replicas of a pod. Most often created by a deployment. */
export interface ReplicaSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ReplicaSetSpec;
  readonly status: ReplicaSetStatus;
}

/** ReplicaSetCondition is one aspect of the state of a replica set. */
export interface ReplicaSetCondition {
  /** Type of the condition, such as ReplicaFailure. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** Specification of a replica set. */
export interface ReplicaSetSpec {
  /** Desired number of pods. Default: 1. */
  readonly replicas?: number;
  /** Seconds that a new pod must be ready, without a crash of its containers, before it counts as available. Default: 0, available as soon as it is ready. */
  readonly minReadySeconds?: number;
  /** Selector of the pods of the set. Must match the labels of the template. Immutable. */
  readonly selector: metav1.LabelSelector | null;
  /** Template of the pods. Changes apply to new pods only. */
  readonly template: corev1.PodTemplateSpec;
}

/** Observed state of a replica set. */
export interface ReplicaSetStatus {
  /** Number of pods that exist and are not being deleted. */
  readonly replicas: number;
  /** Number of pods that have all labels of the template. */
  readonly fullyLabeledReplicas?: number;
  /** Number of pods with a true Ready condition. */
  readonly readyReplicas?: number;
  /** Number of pods that have been ready for minReadySeconds. */
  readonly availableReplicas?: number;
  /** Number of pods that are terminating. */
  readonly terminatingReplicas?: number;
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly ReplicaSetCondition[];
}

/** RollingUpdateDaemonSet holds settings of a rolling update. */
export interface RollingUpdateDaemonSet {
  /** Maximum number of nodes without an available pod during the update: a number or a percentage, rounded up. Cannot be 0 when maxSurge is 0. Default: 1. */
  readonly maxUnavailable?: number | string;
  /** Maximum number of nodes that run the new pod beside the old one during the update: a number or a percentage, rounded up. Default: 0. */
  readonly maxSurge?: number | string;
}

/** Settings of a rolling update. */
export interface RollingUpdateDeployment {
  /** Maximum number of unavailable pods during the update: a number or a percentage of replicas, rounded down. Cannot be 0 when maxSurge is 0. Default: 25%. */
  readonly maxUnavailable?: number | string;
  /** Maximum number of pods above the desired number: a number or a percentage of replicas, rounded up. Cannot be 0 when maxUnavailable is 0. Default: 25%. */
  readonly maxSurge?: number | string;
}

/** RollingUpdateStatefulSetStrategy holds settings of a rolling update. */
export interface RollingUpdateStatefulSetStrategy {
  /** Only pods with this ordinal or a higher one are updated. Default: 0, all. */
  readonly partition?: number;
  /** Maximum number of unavailable pods during the update: a number or a percentage of replicas, rounded up. At least 1. Default: 1. */
  readonly maxUnavailable?: number | string;
}

/** Runs pods with stable names and storage. */
export interface StatefulSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: StatefulSetSpec;
  readonly status: StatefulSetStatus;
}

/** StatefulSetCondition is one aspect of the state of a stateful set. */
export interface StatefulSetCondition {
  /** Type of the condition. Controllers other than the built-in one set it. */
  readonly type: string;
  /** Whether the condition applies: True, False or Unknown. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Details of the last change of the condition, for people. */
  readonly message?: string;
}

/** StatefulSetOrdinals holds the numbering of the pods of a set. */
export interface StatefulSetOrdinals {
  /** Ordinal of the first pod. Default: 0. */
  readonly start: number;
}

/** StatefulSetPersistentVolumeClaimRetentionPolicy determines when claims of the set are deleted. */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  /** What happens to claims when the set is deleted: Retain or Delete. Default: Retain. */
  readonly whenDeleted?: string;
  /** What happens to claims of pods that are removed by scaling down: Retain or Delete. Default: Retain. */
  readonly whenScaled?: string;
}

/** Specification of a stateful set. */
export interface StatefulSetSpec {
  /** Desired number of pods. Default: 1. */
  readonly replicas?: number;
  /** Selector of the pods of the set. Must match the labels of the template. Immutable. */
  readonly selector: metav1.LabelSelector | null;
  /** Template of the pods. Pods are named SET-ORDINAL. */
  readonly template: corev1.PodTemplateSpec;
  /** Templates of the claims of each pod. A claim is named TEMPLATE-SET-ORDINAL and is used again by the next pod of the same ordinal. Immutable. */
  readonly volumeClaimTemplates?: readonly corev1.PersistentVolumeClaim[];
  /** Headless service that governs the set and gives the pods DNS names: POD.SERVICE.NAMESPACE.svc.DOMAIN. Immutable. */
  readonly serviceName: string;
  /** OrderedReady starts and stops pods one after the other, Parallel all at once. Immutable. Default: OrderedReady. */
  readonly podManagementPolicy?: string;
  /** How pods are replaced when the template changes. */
  readonly updateStrategy: StatefulSetUpdateStrategy;
  /** Number of old revisions of the template that are retained for rollbacks. Default: 10. */
  readonly revisionHistoryLimit?: number;
  /** Seconds that a new pod must be ready, without a crash of its containers, before it counts as available. Default: 0, available as soon as it is ready. */
  readonly minReadySeconds?: number;
  /** Whether claims of the set are deleted with their pods. Default: they are retained. */
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  /** Numbering of the pods. Default: from 0. */
  readonly ordinals?: StatefulSetOrdinals;
}

/** Observed state of a stateful set. */
export interface StatefulSetStatus {
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Number of pods that the controller has created. */
  readonly replicas: number;
  /** Number of pods with a true Ready condition. */
  readonly readyReplicas?: number;
  /** Number of pods of the revision currentRevision. */
  readonly currentReplicas?: number;
  /** Number of pods of the revision updateRevision. */
  readonly updatedReplicas?: number;
  /** Revision of the template before the update under way. Pods with low ordinals have it until they are updated. */
  readonly currentRevision?: string;
  /** Revision of the current template. */
  readonly updateRevision?: string;
  /** Number of hash collisions so far. Used by the controller to find a free name for a new revision. */
  readonly collisionCount?: number;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly StatefulSetCondition[];
  /** Number of pods that have been ready for minReadySeconds. */
  readonly availableReplicas: number;
}

/** StatefulSetUpdateStrategy determines how pods are replaced when the template changes. */
export interface StatefulSetUpdateStrategy {
  /** RollingUpdate replaces the pods from the highest ordinal to the lowest, OnDelete only those that are deleted. Default: RollingUpdate. */
  readonly type?: string;
  /** Settings of a rolling update. Only for type RollingUpdate. */
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
