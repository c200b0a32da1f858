import { type IntOrString, resolveIntOrPercent } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';

/** Numbers of replicas of deployments. Cf. pkg/controller/deployment/util. */

export function replicasOf({ spec }: { readonly spec: { readonly replicas?: number } }): number {
  return spec.replicas ?? 1;
}

export function sumOf(sets: readonly appsv1.ReplicaSet[], count: (set: appsv1.ReplicaSet) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
}

export function specReplicas(sets: readonly appsv1.ReplicaSet[]): number {
  return sumOf(sets, replicasOf);
}

export function availableReplicas(sets: readonly appsv1.ReplicaSet[]): number {
  return sumOf(sets, ({ status }) => status.availableReplicas);
}

export function activeSets(sets: readonly appsv1.ReplicaSet[]): readonly appsv1.ReplicaSet[] {
  return sets.filter((set) => replicasOf(set) > 0);
}

export function isRollingUpdate({ spec }: Pick<appsv1.Deployment, 'spec'>): boolean {
  return spec.strategy.type === 'RollingUpdate';
}

/** Number of pods beyond the desired ones during a rollout. */
export function maxSurge(deployment: Pick<appsv1.Deployment, 'spec'>): number {
  return isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0;
}

/** Number of pods that may be unavailable during a rollout. */
export function maxUnavailable(deployment: Pick<appsv1.Deployment, 'spec'>): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || replicas === 0) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicas);
}

/** Percentages of few replicas may round to 0, which would block the rollout. Cf. ResolveFenceposts. */
function fenceposts({ spec }: Pick<appsv1.Deployment, 'spec'>): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy.rollingUpdate ?? {};
  const replicas = replicasOf({ spec });
  const surge = resolveIntOrPercent(maxSurge as IntOrString, replicas, true);
  const unavailable = resolveIntOrPercent(maxUnavailable as IntOrString, replicas, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The size of the new ReplicaSet: as large as the surge allows. `others` are the old ones. Cf. NewRSNewReplicas. */
export function newSetReplicas(deployment: appsv1.Deployment, current: number, others: readonly appsv1.ReplicaSet[]): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return replicas;
  const free = replicas + maxSurge(deployment) - specReplicas(others) - current;
  return free <= 0 ? current : current + Math.min(free, replicas - current);
}
