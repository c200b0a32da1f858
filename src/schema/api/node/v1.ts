// Generated from the catalog by `npm run generate:types`. Do not edit.
import type * as corev1 from '../core/v1.ts';
import type * as metav1 from '../meta/v1.ts';

/** Overhead is the amount of resources that running a pod takes. */
export interface Overhead {
  /** Amount of each resource for each pod. */
  readonly podFixed?: Readonly<Record<string, string>>;
}

/** A class of container runtimes, which pods select by name. */
export interface RuntimeClass {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: metav1.ObjectMeta;
  /** Configuration of the container runtime on the nodes, such as kata. Immutable. */
  readonly handler: string;
  /** Resources that a pod of the class takes in addition to its containers. */
  readonly overhead?: Overhead;
  /** Nodes that support the class. Default: all. */
  readonly scheduling?: Scheduling;
}

/** Scheduling limits the nodes of a runtime class. */
export interface Scheduling {
  /** Labels of the nodes that support the class. Added to the node selector of the pods; a conflict refuses the pod. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Tolerations that are added to the pods. */
  readonly tolerations?: readonly corev1.Toleration[];
}
