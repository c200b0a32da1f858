import type { corev1 } from '../schema/api/index.ts';

/** Whether an init container runs as long as its pod. Cf. podutil.IsRestartableInitContainer. */
export function isSidecar({ restartPolicy }: Pick<corev1.Container, 'restartPolicy'>): boolean {
  return restartPolicy === 'Always';
}

export function sidecarsOf({ initContainers }: Pick<corev1.PodSpec, 'initContainers'>): readonly corev1.Container[] {
  return (initContainers ?? []).filter(isSidecar);
}

/** The containers that run as long as the pod. */
export function runningContainersOf(spec: Pick<corev1.PodSpec, 'containers' | 'initContainers'>): readonly corev1.Container[] {
  return [...(spec.containers ?? []), ...sidecarsOf(spec)];
}
