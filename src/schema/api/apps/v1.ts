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

/** Runs one pod on each node. */
export interface DaemonSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: DaemonSetSpec;
  readonly status: DaemonSetStatus;
}

export interface DaemonSetCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
}

export interface DaemonSetSpec {
  readonly selector: metav1.LabelSelector | null;
  readonly template: corev1.PodTemplateSpec;
  readonly updateStrategy: DaemonSetUpdateStrategy;
  /** Seconds that a new pod must be ready before it counts as available. */
  readonly minReadySeconds?: number;
  /** Number of old revisions that are retained for rollbacks. */
  readonly revisionHistoryLimit?: number;
}

export interface DaemonSetStatus {
  readonly currentNumberScheduled: number;
  readonly numberMisscheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberReady: number;
  /** The metadata.generation that the status refers to. */
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly collisionCount?: number;
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly DaemonSetCondition[];
}

export interface DaemonSetUpdateStrategy {
  readonly type?: string;
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

export interface DeploymentCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  readonly lastUpdateTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
}

/** Specification of a deployment. */
export interface DeploymentSpec {
  /** Desired number of pods. */
  readonly replicas?: number;
  /** Selector of the pods of the deployment. Immutable. */
  readonly selector: metav1.LabelSelector | null;
  /** Template of the pods. */
  readonly template: corev1.PodTemplateSpec;
  /** How existing pods are replaced by new ones. */
  readonly strategy: DeploymentStrategy;
  /** Seconds that a new pod must be ready before it counts as available. */
  readonly minReadySeconds?: number;
  /** Number of old revisions that are retained for rollbacks. */
  readonly revisionHistoryLimit?: number;
  /** Whether changes of the template are not rolled out. */
  readonly paused?: boolean;
  /** Seconds without progress after which the rollout has failed. */
  readonly progressDeadlineSeconds?: number;
}

export interface DeploymentStatus {
  /** The metadata.generation that the status refers to. */
  readonly observedGeneration?: number;
  /** Number of pods. */
  readonly replicas?: number;
  /** Number of pods of the current template. */
  readonly updatedReplicas?: number;
  /** Number of ready pods. */
  readonly readyReplicas?: number;
  /** Number of pods that have been ready for minReadySeconds. */
  readonly availableReplicas?: number;
  /** Number of pods that are missing or not available. */
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly DeploymentCondition[];
  readonly collisionCount?: number;
}

/** How existing pods are replaced by new ones. */
export interface DeploymentStrategy {
  /** RollingUpdate or Recreate. */
  readonly type?: string;
  /** Settings of a rolling update. */
  readonly rollingUpdate?: RollingUpdateDeployment;
}

/** Runs a number of replicas of a pod. */
export interface ReplicaSet {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ReplicaSetSpec;
  readonly status: ReplicaSetStatus;
}

export interface ReplicaSetCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
}

export interface ReplicaSetSpec {
  readonly replicas?: number;
  /** Seconds that a new pod must be ready before it counts as available. */
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
  /** The metadata.generation that the status refers to. */
  readonly observedGeneration?: number;
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly ReplicaSetCondition[];
}

export interface RollingUpdateDaemonSet {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

/** Settings of a rolling update. */
export interface RollingUpdateDeployment {
  /** Maximum number of unavailable pods during the update: a number or a percentage. */
  readonly maxUnavailable?: number | string;
  /** Maximum number of pods above the desired number: a number or a percentage. */
  readonly maxSurge?: number | string;
}

export interface RollingUpdateStatefulSetStrategy {
  readonly partition?: number;
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

export interface StatefulSetCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
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
  /** Desired number of pods. */
  readonly replicas?: number;
  /** Selector of the pods of the set. Immutable. */
  readonly selector: metav1.LabelSelector | null;
  /** Template of the pods. */
  readonly template: corev1.PodTemplateSpec;
  /** Templates of the claims of each pod. */
  readonly volumeClaimTemplates?: readonly corev1.PersistentVolumeClaim[];
  /** Service that governs the set and gives the pods DNS names. */
  readonly serviceName: string;
  /** OrderedReady or Parallel. */
  readonly podManagementPolicy?: string;
  /** How pods are replaced when the template changes. */
  readonly updateStrategy: StatefulSetUpdateStrategy;
  /** Number of old revisions that are retained for rollbacks. */
  readonly revisionHistoryLimit?: number;
  /** Seconds that a new pod must be ready before it counts as available. */
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly ordinals?: StatefulSetOrdinals;
}

export interface StatefulSetStatus {
  /** The metadata.generation that the status refers to. */
  readonly observedGeneration?: number;
  readonly replicas: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly StatefulSetCondition[];
  readonly availableReplicas: number;
}

export interface StatefulSetUpdateStrategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
