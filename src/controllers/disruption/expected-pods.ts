import { resolveIntOrPercent } from '../../meta/index.ts';
import type { corev1, policyv1 } from '../../schema/api/index.ts';
import { controllerOf } from '../pods/index.ts';
import type { ControllerScale, FindScale } from './controller-scales.ts';

/** The pods that a budget counts on. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
  /** Whether some pods have no controller, so that the number of pods is not known. */
  readonly hasUnmanaged: boolean;
}

/**
 * Numbers and percentages of `maxUnavailable`, and percentages of `minAvailable`, refer to the replicas of the pods' controllers; a number
 * of `minAvailable` needs none. Cf. getExpectedPodCount.
 *
 * @throws Error when the scale of a controller cannot be found
 */
export async function countExpectedPods(
  { minAvailable, maxUnavailable }: policyv1.PodDisruptionBudgetSpec,
  pods: readonly corev1.Pod[],
  findScale: FindScale,
): Promise<ExpectedPods> {
  if (maxUnavailable !== undefined) {
    const { expected, hasUnmanaged } = await sumScales(pods, findScale);
    return { expected, desiredHealthy: Math.max(0, expected - resolveIntOrPercent(maxUnavailable, expected, true)), hasUnmanaged };
  }
  if (typeof minAvailable === 'string') {
    const { expected, hasUnmanaged } = await sumScales(pods, findScale);
    return { expected, desiredHealthy: resolveIntOrPercent(minAvailable, expected, true), hasUnmanaged };
  }
  if (minAvailable === undefined) return { expected: 0, desiredHealthy: 0, hasUnmanaged: false };
  return { expected: pods.length, desiredHealthy: minAvailable, hasUnmanaged: false };
}

/** Cf. getExpectedScale. */
async function sumScales(
  pods: readonly corev1.Pod[],
  findScale: FindScale,
): Promise<{ readonly expected: number; readonly hasUnmanaged: boolean }> {
  const scales = new Map<string, number>();
  const found = new Map<string, ControllerScale>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (!reference) {
      hasUnmanaged = true;
      continue;
    }
    const scale = found.get(reference.uid) ?? (await findScale(reference, pod.metadata.namespace ?? ''));
    if (!scale) throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
    found.set(reference.uid, scale);
    scales.set(scale.uid, scale.replicas);
  }
  return { expected: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), hasUnmanaged };
}
