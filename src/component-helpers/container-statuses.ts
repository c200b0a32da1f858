import type { corev1 } from '../schema/api/index.ts';

/** The statuses of a pod's containers, without ephemeral ones. */
export function containerStatusesOf({ status }: Pick<corev1.Pod, 'status'>): readonly corev1.ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}
