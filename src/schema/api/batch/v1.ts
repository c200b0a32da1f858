// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** Starts jobs at given times. */
export interface CronJob {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: CronJobSpec;
  readonly status: CronJobStatus;
}

export interface CronJobSpec {
  /** When jobs start, as a cron expression. */
  readonly schedule: string;
  /** The time zone of the schedule. */
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number;
  /** What happens when the last job still runs: Allow, Forbid or Replace. */
  readonly concurrencyPolicy?: string;
  /** Whether no further jobs start. */
  readonly suspend?: boolean;
  /** What the jobs look like. */
  readonly jobTemplate: JobTemplateSpec;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
}

export interface CronJobStatus {
  readonly active?: readonly corev1.ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

/** Runs pods until enough of them have succeeded. */
export interface Job {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: JobSpec;
  readonly status: JobStatus;
}

export interface JobCondition {
  readonly type: string;
  /** What is seen. Written by the system. */
  readonly status: string;
  readonly lastProbeTime: string | null;
  /** When the condition last changed. */
  readonly lastTransitionTime: string | null;
  /** Why, in one word for programs. */
  readonly reason?: string;
  /** Why, in a sentence for people. */
  readonly message?: string;
}

export interface JobSpec {
  /** How many pods run at the same time. */
  readonly parallelism?: number;
  /** How many pods have to succeed. */
  readonly completions?: number;
  /** Seconds after which the job has failed. */
  readonly activeDeadlineSeconds?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  /** How many failures there may be. */
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: metav1.LabelSelector;
  readonly manualSelector?: boolean;
  /** What the pods look like. */
  readonly template: corev1.PodTemplateSpec;
  /** Seconds after its end when the job is removed. */
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  /** Whether no pods run. */
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
}

export interface JobStatus {
  /** What has been observed, one entry for each type of condition. */
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
  /** Name, labels and what else is known of every object. */
  readonly metadata: metav1.ObjectMeta;
  /** What is wanted. */
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
  /** What is seen. Written by the system. */
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
