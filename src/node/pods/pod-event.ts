/** An event about a pod, or one of its containers. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `spec.containers{c}`; undefined: about the pod. */
  readonly fieldPath?: string;
}
