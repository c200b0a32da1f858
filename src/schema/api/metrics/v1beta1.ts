// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as metav1 from '../meta/v1.ts';

/** Resource usage of a container. */
export interface ContainerMetrics {
  /** Name of the container, as in the specification of the pod. */
  readonly name: string;
  /** Usage of each resource: cpu as an average over the window, memory at its end. */
  readonly usage: Readonly<Record<string, string>> | null;
}

/** Resource usage of a node. */
export interface NodeMetrics {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Time at which the measurement ended. */
  readonly timestamp: string | null;
  /** Duration of the measurement, such as 30s. */
  readonly window: string;
  /** Usage of each resource: cpu as an average over the window, memory at its end. */
  readonly usage: Readonly<Record<string, string>> | null;
}

/** NodeMetricsList is a list of NodeMetrics objects. */
export interface NodeMetricsList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  /** Items is the list of objects. */
  readonly items: readonly NodeMetrics[] | null;
}

/** Resource usage of a pod. */
export interface PodMetrics {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Time at which the measurement ended. */
  readonly timestamp: string | null;
  /** Duration of the measurement, such as 30s. */
  readonly window: string;
  /** Usage of each container within the window. */
  readonly containers: readonly ContainerMetrics[] | null;
}

/** PodMetricsList is a list of PodMetrics objects. */
export interface PodMetricsList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ListMeta;
  /** Items is the list of objects. */
  readonly items: readonly PodMetrics[] | null;
}
