import type { corev1, metav1 } from '../../schema/api/index.ts';

export interface PodFields {
  readonly metadata?: metav1.ObjectMeta;
  readonly spec?: Partial<corev1.PodSpec>;
  readonly status?: corev1.PodStatus;
}

/** A pod in `default` with these fields. */
export function podWith({ metadata, spec, status = {} }: PodFields = {}): corev1.Pod {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { namespace: 'default', name: 'web', uid: 'u1', ...metadata },
    spec: { containers: [], ...spec },
    status,
  };
}

/** The status of a running pod. `since` is the time of its last change of readiness. */
export function readyStatus(since: string | null, isReady = true): corev1.PodStatus {
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastProbeTime: null, lastTransitionTime: since }],
  };
}
