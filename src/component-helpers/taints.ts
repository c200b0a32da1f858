import type { corev1 } from '../schema/api/index.ts';

/** Whether a toleration matches a taint. Cf. component-helpers corev1 ToleratesTaint. */
export function toleratesTaint({ key = '', operator = '', value = '', effect = '' }: corev1.Toleration, taint: corev1.Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === '' || operator === 'Equal') return value === (taint.value ?? '');
  return operator === 'Exists';
}

/** The first of the taints that is not tolerated. */
export function untoleratedTaint(
  taints: readonly corev1.Taint[],
  tolerations: readonly corev1.Toleration[],
  isRelevant: (taint: corev1.Taint) => boolean,
): corev1.Taint | undefined {
  return taints.find((taint) => isRelevant(taint) && !tolerations.some((toleration) => toleratesTaint(toleration, taint)));
}

export const repelsPods = ({ effect }: corev1.Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';
