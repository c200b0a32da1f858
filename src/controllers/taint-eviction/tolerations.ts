import { toleratesTaint } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/**
 * Seconds for which a pod tolerates the taints of its node: 0 when it does not tolerate all, undefined when it does forever.
 * Cf. GetMatchingTolerations, getMinTolerationTime.
 */
export function tolerationSeconds(
  taints: readonly corev1.Taint[],
  tolerations: readonly corev1.Toleration[],
): number | 'intolerant' | undefined {
  const used = taints.map((taint) => tolerations.find((toleration) => toleratesTaint(toleration, taint)));
  if (used.includes(undefined)) return 'intolerant';
  const limits = used.flatMap((toleration) => toleration?.tolerationSeconds ?? []);
  return limits.length === 0 ? undefined : Math.max(0, Math.min(...limits));
}
