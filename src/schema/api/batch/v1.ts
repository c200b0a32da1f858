// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** Creates jobs on a schedule. */
export interface CronJob {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CronJobSpec;
  readonly status: CronJobStatus;
}

export interface CronJobSpec {
  /** Schedule in cron format. */
  readonly schedule: string;
  /** The time zone of the schedule. */
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number;
  /** What happens when the previous job is still running: Allow, Forbid or Replace. */
  readonly concurrencyPolicy?: string;
  /** Whether no further jobs are created. */
  readonly suspend?: boolean;
  /** Template of the jobs. */
  readonly jobTemplate: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
}

export interface CronJobStatus {
  readonly active?: readonly corev1.ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

/** Runs pods to completion. */
export interface Job {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: JobSpec;
  readonly status: JobStatus;
}

export interface JobCondition {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
  readonly lastProbeTime: string | null;
  /** The last time the condition changed from one status to another. */
  readonly lastTransitionTime: string | null;
  /** Machine-readable reason, one word in CamelCase. */
  readonly reason?: string;
  /** Human-readable details. */
  readonly message?: string;
}

export interface JobSpec {
  /** Maximum number of pods at the same time. */
  readonly parallelism?: number;
  /** Number of pods that must succeed. */
  readonly completions?: number;
  /** Seconds after which the job fails. */
  readonly activeDeadlineSeconds?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  /** Number of retries before the job fails. */
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: metav1.LabelSelector;
  readonly manualSelector?: boolean;
  /** Template of the pods. */
  readonly template: corev1.PodTemplateSpec;
  /** Seconds after which a finished job is deleted. */
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  /** Whether no pods are created. */
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
}

export interface JobStatus {
  /** Conditions is the latest observed state, one entry for each type of condition. */
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  readonly ready?: number;
}

export interface JobTemplateSpec {
  /** Standard object's metadata: name, labels, annotations and fields that the server manages. */
  readonly metadata: metav1.ObjectMeta;
  /** Specification of the desired state. */
  readonly spec: JobSpec;
}

export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[] | null;
}

export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[] | null;
}

export interface PodFailurePolicyOnPodConditionsPattern {
  readonly type: string;
  /** Observed state. Read-only; written by the system. */
  readonly status: string;
}

export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}

export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[] | null;
}

export interface SuccessPolicyRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}
