import type { corev1 } from '../../schema/api/index.ts';

/** Whether a namespace is not terminating. */
export function isActive({ metadata, status }: corev1.Namespace): boolean {
  return metadata.deletionTimestamp === undefined && status.phase !== 'Terminating';
}
