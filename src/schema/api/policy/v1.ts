// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** Eviction deletes a pod if its disruption budgets allow it. Create it through the subresource eviction of the pod. */
export interface Eviction {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Options of the deletion, such as gracePeriodSeconds and preconditions. */
  readonly deleteOptions?: metav1.DeleteOptions;
}

/** Limits the number of pods that are disrupted at the same time, for instance when nodes are drained. */
export interface PodDisruptionBudget {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: PodDisruptionBudgetSpec;
  readonly status: PodDisruptionBudgetStatus;
}

/** Specification of a disruption budget. Only one of minAvailable and maxUnavailable can be set. */
export interface PodDisruptionBudgetSpec {
  /** Number of pods that must stay available: a number or a percentage. 100% prevents all evictions. */
  readonly minAvailable?: number | string;
  /** Selector of the pods. An empty selector selects all pods of the namespace. */
  readonly selector?: metav1.LabelSelector;
  /** Number of pods that may be unavailable: a number or a percentage. 0 prevents all evictions. */
  readonly maxUnavailable?: number | string;
  /** When running pods that are not ready can be evicted: AlwaysAllow, or IfHealthyBudget only while enough pods are healthy. Default: IfHealthyBudget. */
  readonly unhealthyPodEvictionPolicy?: string;
}

/** Observed state of a disruption budget. */
export interface PodDisruptionBudgetStatus {
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Pods whose eviction was accepted and that still exist, with the time of it. */
  readonly disruptedPods?: Readonly<Record<string, string>>;
  /** Number of pods that may be evicted now. */
  readonly disruptionsAllowed: number;
  /** Number of matching pods that are ready. */
  readonly currentHealthy: number;
  /** Number of pods that must stay healthy. */
  readonly desiredHealthy: number;
  /** Number of pods that are counted. */
  readonly expectedPods: number;
  /** Conditions is the latest observed state, with one entry for each type of condition. */
  readonly conditions?: readonly metav1.Condition[];
}
