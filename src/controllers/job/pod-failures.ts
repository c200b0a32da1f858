import { containerStatusesOf } from '../../component-helpers/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';

export function isIndexed({ spec }: Pick<batchv1.Job, 'spec'>): boolean {
  return spec.completionMode === 'Indexed';
}

export function isSuspended({ spec }: Pick<batchv1.Job, 'spec'>): boolean {
  return spec.suspend === true;
}

/** Whether pods are replaced only when they ended, not yet when they are being deleted. Cf. onlyReplaceFailedPods. */
export function replacesOnlyFailedPods({ spec }: Pick<batchv1.Job, 'spec'>): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

/** Deleted pods count as failed, since some never reach the phase Failed. Cf. isPodFailed. */
export function isPodFailed({ metadata, status }: corev1.Pod, job: Pick<batchv1.Job, 'spec'>): boolean {
  if (status.phase === 'Failed') return true;
  return !replacesOnlyFailedPods(job) && metadata.deletionTimestamp !== undefined && status.phase !== 'Succeeded';
}

/** Whether restarts of containers exceed the limit; only with the restart policy OnFailure. Cf. pastBackoffLimitOnFailure. */
export function areRestartsBeyondLimit({ spec }: Pick<batchv1.Job, 'spec'>, pods: readonly corev1.Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const { backoffLimit = 6 } = spec;
  let restarts = 0;
  for (const pod of pods) {
    if (pod.status.phase !== 'Running' && pod.status.phase !== 'Pending') continue;
    for (const { restartCount } of containerStatusesOf(pod)) restarts += restartCount;
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}
