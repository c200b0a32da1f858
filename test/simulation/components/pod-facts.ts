import type { corev1 } from '../../../src/schema/api/index.ts';

/** Neither terminating nor finished. */
export const isActive = ({ metadata, status }: corev1.Pod): boolean =>
  metadata.deletionTimestamp === undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed';

export const isFinished = ({ status }: corev1.Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';

/** When the pod became ready; undefined: it is not. */
export function readySinceMs({ status }: corev1.Pod): number | undefined {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') : undefined;
}

export const controllerUid = ({ metadata }: { readonly metadata: corev1.Pod['metadata'] }): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
