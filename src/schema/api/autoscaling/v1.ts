// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** CrossVersionObjectReference identifies an object of any kind in the same namespace. */
export interface CrossVersionObjectReference {
  /** Kind of the object, such as Deployment. */
  readonly kind: string;
  /** Name of the object, in the same namespace. */
  readonly name: string;
  /** Group and version of the object, such as apps/v1. */
  readonly apiVersion?: string;
}

/** Scales the number of pods by metrics. */
export interface HorizontalPodAutoscaler {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status: HorizontalPodAutoscalerStatus;
}

/** Specification of an autoscaler. */
export interface HorizontalPodAutoscalerSpec {
  /** Resource to scale, such as a deployment. It must have the subresource scale. */
  readonly scaleTargetRef: CrossVersionObjectReference;
  /** Minimum number of pods. 0 needs a feature gate and an object or external metric. Default: 1. */
  readonly minReplicas?: number;
  /** Maximum number of pods, at least minReplicas. */
  readonly maxReplicas: number;
  /** Target of the average CPU usage, as a percentage of the requests. Default: 80. */
  readonly targetCPUUtilizationPercentage?: number;
}

/** Observed state of an autoscaler. */
export interface HorizontalPodAutoscalerStatus {
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Time at which the number of pods was last changed. */
  readonly lastScaleTime?: string;
  /** Number of pods that the autoscaler last saw. */
  readonly currentReplicas: number;
  /** Number of pods that the autoscaler last computed. */
  readonly desiredReplicas: number;
  /** Average CPU usage of the pods that the autoscaler last saw, as a percentage of the requests. */
  readonly currentCPUUtilizationPercentage?: number;
}

/** Scale is the number of replicas of an object, as the subresource scale. */
export interface Scale {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: ScaleSpec;
  readonly status: ScaleStatus;
}

/** ScaleSpec is the desired number of replicas. */
export interface ScaleSpec {
  /** Desired number of replicas. Default: 0. */
  readonly replicas?: number;
}

/** ScaleStatus is the current number of replicas. */
export interface ScaleStatus {
  /** Current number of replicas. */
  readonly replicas: number;
  /** Selector of the pods as text, such as app=web. */
  readonly selector?: string;
}
