// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** ContainerResourceMetricSource is the usage of a resource by one container of each pod. */
export interface ContainerResourceMetricSource {
  /** Name of the resource: cpu or memory. */
  readonly name: string;
  /** Target of the average, with type Utilization or AverageValue. */
  readonly target: MetricTarget;
  /** Name of the container, in every pod of the target, whose usage counts. */
  readonly container: string;
}

/** ContainerResourceMetricStatus is the current usage of a resource by one container of each pod. */
export interface ContainerResourceMetricStatus {
  /** Name of the resource: cpu or memory. */
  readonly name: string;
  /** Current average over the pods, as a value and as a percentage of the requests. */
  readonly current: MetricValueStatus;
  /** Name of the container whose usage counts. */
  readonly container: string;
}

/** CrossVersionObjectReference identifies an object of any kind in the same namespace. */
export interface CrossVersionObjectReference {
  /** Kind of the object, such as Deployment. */
  readonly kind: string;
  /** Name of the object, in the same namespace. */
  readonly name: string;
  /** Group and version of the object, such as apps/v1. */
  readonly apiVersion?: string;
}

/** ExternalMetricSource is a metric from outside of the cluster. */
export interface ExternalMetricSource {
  /** Name of the metric, and a selector of its series. */
  readonly metric: MetricIdentifier;
  /** Target of the metric, with type Value or AverageValue. */
  readonly target: MetricTarget;
}

/** ExternalMetricStatus is the current value of a metric from outside of the cluster. */
export interface ExternalMetricStatus {
  /** Name and selector of the metric. */
  readonly metric: MetricIdentifier;
  /** Current value of the metric, total or average. */
  readonly current: MetricValueStatus;
}

/** HPAScalingPolicy is a maximum change within a time. */
export interface HPAScalingPolicy {
  /** Pods when value is a number of pods, Percent when it is a percentage of the current number. */
  readonly type: string;
  /** Largest change within the period: a number of pods, or a percentage for the type Percent. Above 0. */
  readonly value: number;
  /** Seconds to which the maximum applies, from 1 to 1800. */
  readonly periodSeconds: number;
}

/** HPAScalingRules limits scaling in one direction. */
export interface HPAScalingRules {
  /** Seconds, from 0 to 3600, whose recommendations are considered to avoid frequent changes: the highest one when scaling down, the lowest one when scaling up. Default: 0 up, 300 down. */
  readonly stabilizationWindowSeconds?: number;
  /** Policy that applies when there are several: Max for the largest change, Min for the smallest, Disabled for no scaling in this direction. Default: Max. */
  readonly selectPolicy?: string;
  /** Maximum changes within a time. */
  readonly policies?: readonly HPAScalingPolicy[];
  /** Deviation from the target below which nothing changes, such as 0.05 for 5%. Default: that of the cluster, 10%. */
  readonly tolerance?: string;
}

/** Scales the number of pods by metrics. */
export interface HorizontalPodAutoscaler {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status: HorizontalPodAutoscalerStatus;
}

/** HorizontalPodAutoscalerBehavior limits the speed of scaling. */
export interface HorizontalPodAutoscalerBehavior {
  /** Limits of scaling up. Default: the larger one of 4 pods and 100% within 15 seconds, without stabilization. */
  readonly scaleUp?: HPAScalingRules;
  /** Limits of scaling down. Default: to any number within 15 seconds, with a stabilization of 300 seconds. */
  readonly scaleDown?: HPAScalingRules;
}

/** HorizontalPodAutoscalerCondition is one aspect of the state of an autoscaler. */
export interface HorizontalPodAutoscalerCondition {
  /** Type of the condition: AbleToScale, ScalingActive or ScalingLimited. */
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

/** Specification of an autoscaler. */
export interface HorizontalPodAutoscalerSpec {
  /** Resource to scale, such as a deployment. It must have the subresource scale. */
  readonly scaleTargetRef: CrossVersionObjectReference;
  /** Minimum number of pods. 0 needs a feature gate and an object or external metric. Default: 1. */
  readonly minReplicas?: number;
  /** Maximum number of pods, at least minReplicas. */
  readonly maxReplicas: number;
  /** Metrics and their target values. The metric that needs the most pods decides. Default: 80% CPU utilization. */
  readonly metrics?: readonly MetricSpec[];
  /** Limits of the speed of scaling. */
  readonly behavior?: HorizontalPodAutoscalerBehavior;
}

/** Observed state of an autoscaler. */
export interface HorizontalPodAutoscalerStatus {
  /** The metadata.generation of the object that was current when this was written. A lower value than metadata.generation means that the latest change has not been processed yet. */
  readonly observedGeneration?: number;
  /** Time at which the number of pods was last changed. */
  readonly lastScaleTime?: string;
  /** Number of pods that the autoscaler last saw. */
  readonly currentReplicas?: number;
  /** Number of pods that the autoscaler last computed. */
  readonly desiredReplicas: number;
  /** Values of the metrics that the autoscaler last saw. */
  readonly currentMetrics: readonly MetricStatus[] | null;
  /** Conditions of the autoscaler: AbleToScale, ScalingActive and ScalingLimited. */
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
}

/** MetricIdentifier names a metric. */
export interface MetricIdentifier {
  /** Name of the metric, such as http_requests. */
  readonly name: string;
  /** Labels of the metric. Default: the name alone selects it. */
  readonly selector?: metav1.LabelSelector;
}

/** MetricSpec is a metric with its target. The field for its type must be set. */
export interface MetricSpec {
  /** Type of the metric: Resource, ContainerResource, Pods, Object or External. */
  readonly type: string;
  /** Metric that describes another object, such as requests per second of an ingress. */
  readonly object?: ObjectMetricSource;
  /** Metric of each pod, averaged. */
  readonly pods?: PodsMetricSource;
  /** Usage of cpu or memory, compared with the requests of the pods. */
  readonly resource?: ResourceMetricSource;
  /** Usage of cpu or memory by one container of each pod. */
  readonly containerResource?: ContainerResourceMetricSource;
  /** Metric from outside of the cluster, such as the length of a queue. */
  readonly external?: ExternalMetricSource;
}

/** MetricStatus is the current value of a metric. */
export interface MetricStatus {
  /** Type of the metric: Resource, ContainerResource, Pods, Object or External. */
  readonly type: string;
  /** Value of a metric of another object. */
  readonly object?: ObjectMetricStatus;
  /** Value of a metric of the pods. */
  readonly pods?: PodsMetricStatus;
  /** Usage of cpu or memory by the pods. */
  readonly resource?: ResourceMetricStatus;
  /** Usage of cpu or memory by one container of each pod. */
  readonly containerResource?: ContainerResourceMetricStatus;
  /** Value of a metric from outside of the cluster. */
  readonly external?: ExternalMetricStatus;
}

/** MetricTarget is the target of a metric. The field for its type must be set. */
export interface MetricTarget {
  /** Type of the target: Utilization, Value or AverageValue. */
  readonly type: string;
  /** Target of the metric itself. */
  readonly value?: string;
  /** Target of the metric divided by the number of pods. */
  readonly averageValue?: string;
  /** Target of the average usage, as a percentage of the requests. Only for resources. */
  readonly averageUtilization?: number;
}

/** MetricValueStatus is the current value of a metric. */
export interface MetricValueStatus {
  /** Value of the metric itself. */
  readonly value?: string;
  /** Value of the metric divided by the number of pods. */
  readonly averageValue?: string;
  /** Average usage, as a percentage of the requests. Only for resources. */
  readonly averageUtilization?: number;
}

/** ObjectMetricSource is a metric that describes an object. */
export interface ObjectMetricSource {
  /** The object to which the metric belongs, such as an ingress. */
  readonly describedObject: CrossVersionObjectReference;
  /** Value to maintain: of the type Value or AverageValue. */
  readonly target: MetricTarget;
  /** Name of the metric, and a selector of its series. */
  readonly metric: MetricIdentifier;
}

/** ObjectMetricStatus is the current value of a metric that describes an object. */
export interface ObjectMetricStatus {
  /** Name and selector of the metric. */
  readonly metric: MetricIdentifier;
  /** Current value of the metric, total or average per pod. */
  readonly current: MetricValueStatus;
  /** The object to which the metric belongs. */
  readonly describedObject: CrossVersionObjectReference;
}

/** PodsMetricSource is a metric of each pod. */
export interface PodsMetricSource {
  /** Name of the metric that every pod has, and a selector of its series. */
  readonly metric: MetricIdentifier;
  /** Target of the average. Its type must be AverageValue. */
  readonly target: MetricTarget;
}

/** PodsMetricStatus is the current value of a metric of the pods. */
export interface PodsMetricStatus {
  /** Name and selector of the metric. */
  readonly metric: MetricIdentifier;
  /** Current average over the pods. */
  readonly current: MetricValueStatus;
}

/** ResourceMetricSource is the usage of a resource by the pods. */
export interface ResourceMetricSource {
  /** Name of the resource: cpu or memory. */
  readonly name: string;
  /** Target of the average, with type Utilization or AverageValue. */
  readonly target: MetricTarget;
}

/** ResourceMetricStatus is the current usage of a resource by the pods. */
export interface ResourceMetricStatus {
  /** Name of the resource: cpu or memory. */
  readonly name: string;
  /** Current average over the pods, as a value and as a percentage of the requests. */
  readonly current: MetricValueStatus;
}
