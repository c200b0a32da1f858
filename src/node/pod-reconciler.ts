import type { corev1 } from '../schema/api/index.ts';

/** Runs the pods of some nodes. */
export interface PodReconciler {
  /** Brings a pod and its status to the present; a rejection is retried. */
  reconcile(pod: corev1.Pod): Promise<void>;
  /** Releases what a deleted pod used, if anything. */
  forget(pod: corev1.Pod): void;
}
