import type { ApiResource, appsv1, corev1, metav1 } from '../../schema/api/index.ts';

/** A ReplicaSet or ReplicationController: they differ in the form of the selector. */
export type ReplicaSetLike = appsv1.ReplicaSet | corev1.ReplicationController;

/** A kind of objects that the ReplicaSet controller reconciles. */
export interface ReplicaSetKind<T extends ReplicaSetLike> {
  readonly resource: ApiResource<T>;
  /** The name in the log. */
  readonly name: string;
  /** The name in events. */
  readonly component: string;
  readonly selectorOf: (object: T) => metav1.LabelSelector | null;
}

/** The number of pods that an object should have; the server adds the default. */
export function desiredReplicas({ spec }: ReplicaSetLike): number {
  return spec.replicas ?? 1;
}
