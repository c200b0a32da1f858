import { type IntOrString, resolveIntOrPercent } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';

/** How many pods a rolling update replaces at a time, for a number of nodes. Cf. updatedDesiredNodeCounts. */
export interface UpdateLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export function updateLimits(set: appsv1.DaemonSet, nodes: number): UpdateLimits {
  const { maxSurge = 0, maxUnavailable = 0 } = set.spec.updateStrategy.rollingUpdate ?? {};
  const limits = { maxSurge: countOf(set, maxSurge, nodes), maxUnavailable: countOf(set, maxUnavailable, nodes) };
  const isImpossible = nodes > 0 && limits.maxSurge === 0 && limits.maxUnavailable === 0;
  return isImpossible ? { ...limits, maxUnavailable: 1 } : limits;
}

/** Whether an update creates new pods beside the old ones. Cf. AllowsSurge. */
export function allowsSurge(set: appsv1.DaemonSet): boolean {
  return countOf(set, set.spec.updateStrategy.rollingUpdate?.maxSurge ?? 0, 1) > 0;
}

/** Percentages are rounded up. */
function countOf({ spec }: appsv1.DaemonSet, value: IntOrString, nodes: number): number {
  return spec.updateStrategy.type === 'RollingUpdate' ? resolveIntOrPercent(value, nodes, true) : 0;
}
