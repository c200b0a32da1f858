// Generated from the catalog by `npm run generate:types`. Do not edit.
import type { JsonObject } from '../../../meta/index.ts';
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

export interface ControllerRevision {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly data: JsonObject | null;
  readonly revision: number;
}

/** Runs one pod on every node. */
export interface DaemonSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DaemonSetSpec;
  readonly status: DaemonSetStatus;
}

export interface DaemonSetCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface DaemonSetSpec {
  readonly selector: metav1.LabelSelector | null;
  readonly template: corev1.PodTemplateSpec;
  readonly updateStrategy: DaemonSetUpdateStrategy;
  /** How long a new pod has to be ready before it counts as available. */
  readonly minReadySeconds?: number;
  /** How many old revisions are kept to roll back to. */
  readonly revisionHistoryLimit?: number;
}

export interface DaemonSetStatus {
  readonly currentNumberScheduled: number;
  readonly numberMisscheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberReady: number;
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly DaemonSetCondition[];
}

export interface DaemonSetUpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateDaemonSet;
}

/** Keeps a number of like pods running, and replaces them step by step when their template changes. */
export interface Deployment {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DeploymentSpec;
  readonly status: DeploymentStatus;
}

export interface DeploymentCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  readonly lastUpdateTime: string | null;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

/** How many pods, of which template. */
export interface DeploymentSpec {
  /** How many pods are wanted. */
  readonly replicas?: number;
  /** Labels of the pods that belong to the deployment. Cannot change. */
  readonly selector: metav1.LabelSelector | null;
  /** What the pods look like. */
  readonly template: corev1.PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  readonly strategy: DeploymentStrategy;
  /** How long a new pod has to be ready before it counts as available. */
  readonly minReadySeconds?: number;
  /** How many old revisions are kept to roll back to. */
  readonly revisionHistoryLimit?: number;
  /** Whether changes of the template wait. */
  readonly paused?: boolean;
  /** Seconds without progress after which the rollout has failed. */
  readonly progressDeadlineSeconds?: number;
}

export interface DeploymentStatus {
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** How many pods there are. */
  readonly replicas?: number;
  /** How many follow the newest template. */
  readonly updatedReplicas?: number;
  /** How many are ready. */
  readonly readyReplicas?: number;
  /** How many have been ready for long enough. */
  readonly availableReplicas?: number;
  /** How many are still missing. */
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
}

/** How old pods are replaced by new ones. */
export interface DeploymentStrategy {
  /** RollingUpdate step by step, Recreate all at once. */
  readonly type?: string;
  /** How large the steps are. */
  readonly rollingUpdate?: RollingUpdateDeployment;
}

/** Keeps a number of like pods running. */
export interface ReplicaSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ReplicaSetSpec;
  readonly status: ReplicaSetStatus;
}

export interface ReplicaSetCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface ReplicaSetSpec {
  readonly replicas?: number;
  /** How long a new pod has to be ready before it counts as available. */
  readonly minReadySeconds?: number;
  readonly selector: metav1.LabelSelector | null;
  readonly template: corev1.PodTemplateSpec;
}

export interface ReplicaSetStatus {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly ReplicaSetCondition[];
}

export interface RollingUpdateDaemonSet {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

/** How large the steps of an update are. */
export interface RollingUpdateDeployment {
  /** How many of the wanted pods may be missing: a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** How many pods more than wanted there may be: a number or a percentage. */
  readonly maxSurge?: number | string;
}

export interface RollingUpdateStatefulSetStrategy {
  readonly partition?: number;
  readonly maxUnavailable?: number | string;
}

/** Keeps pods running that each have a name and storage of their own. */
export interface StatefulSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: StatefulSetSpec;
  readonly status: StatefulSetStatus;
}

export interface StatefulSetCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface StatefulSetOrdinals {
  readonly start: number;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}

export interface StatefulSetSpec {
  /** How many pods are wanted. */
  readonly replicas?: number;
  /** Labels of the pods that belong to the set. Cannot change. */
  readonly selector: metav1.LabelSelector | null;
  /** What the pods look like. */
  readonly template: corev1.PodTemplateSpec;
  /** Claims that every pod gets. */
  readonly volumeClaimTemplates?: readonly corev1.PersistentVolumeClaim[];
  /** The service that gives the pods their names. */
  readonly serviceName: string;
  /** One pod after the other, or all at once. */
  readonly podManagementPolicy?: string;
  /** How pods are replaced when the template changes. */
  readonly updateStrategy: StatefulSetUpdateStrategy;
  /** How many old revisions are kept to roll back to. */
  readonly revisionHistoryLimit?: number;
  /** How long a new pod has to be ready before it counts as available. */
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
}

export interface StatefulSetStatus {
  /** The generation of the object that the status is about. */
  readonly observedGeneration?: number;
  readonly replicas: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  /** What has been observed, one entry for each type of condition. */
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas: number;
}

export interface StatefulSetUpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
