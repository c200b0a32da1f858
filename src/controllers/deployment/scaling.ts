import type { appsv1 } from '../../schema/api/index.ts';
import { bySizeNewer, bySizeOlder } from './replica-set-order.ts';
import { activeSets, availableReplicas, maxSurge, maxUnavailable, replicasOf, specReplicas } from './replicas.ts';

type ReplicaSet = appsv1.ReplicaSet;

/** The size that a set gets. */
export interface SetSize {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** Distributes a change of the replicas to the sets of an unfinished rollout by their sizes. Cf. sync.go scale. */
export function proportionalSizes(
  deployment: appsv1.Deployment,
  sets: readonly ReplicaSet[],
  /** The replicas with surge before the change, from the annotation of a set. */
  maxReplicasBefore: (set: ReplicaSet) => number | undefined,
): readonly SetSize[] {
  const active = [...activeSets(sets)];
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const toAdd = allowed - specReplicas(active);
  if (toAdd === 0) return active.map((set) => ({ set, replicas: replicasOf(set) }));
  active.sort(toAdd > 0 ? bySizeNewer : bySizeOlder);
  let left = toAdd;
  const shares = active.map((set) => {
    const before = maxReplicasBefore(set) || (deployment.status.replicas ?? 0);
    const share = limitShare(fraction(deployment, set, before), left);
    left -= share;
    return share;
  });
  return active.map((set, index) => {
    // What is left by rounding goes to the largest set.
    const size = replicasOf(set) + (shares[index] ?? 0) + (index === 0 ? left : 0);
    return { set, replicas: Math.max(0, size) };
  });
}

/** Cf. getReplicaSetFraction. */
function fraction(deployment: appsv1.Deployment, set: ReplicaSet, maxBefore: number): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  if (maxBefore === 0) return 0;
  return Math.floor((size * (replicasOf(deployment) + maxSurge(deployment))) / maxBefore + 0.5) - size;
}

/** Cf. GetReplicaSetProportion. */
function limitShare(share: number, left: number): number {
  if (left === 0) return 0;
  return left > 0 ? Math.min(share, left) : Math.max(share, left);
}

/** The number of old pods that may be deleted without loss of availability, counting unavailable new ones. */
export function maxScaledDown(deployment: appsv1.Deployment, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): number {
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const newUnavailable = replicasOf(newSet) - (newSet.status.availableReplicas ?? 0);
  return specReplicas([...oldSets, newSet]) - minAvailable - newUnavailable;
}

/** The sizes that old sets get, as far as their statuses allow to decide. */
export interface UnhealthySizes {
  readonly sizes: readonly SetSize[];
  /** Whether a status counts more available pods than its set shall have: it is from before the set was scaled down. */
  readonly isOutdated: boolean;
}

/** Deletes unavailable old pods first, of the oldest sets. `oldSets` are sorted by creation. Cf. cleanupUnhealthyReplicas. */
export function unhealthySizes(oldSets: readonly ReplicaSet[], limit: number): UnhealthySizes {
  let left = limit;
  const sizes: SetSize[] = [];
  for (const set of oldSets) {
    if (left <= 0) break;
    const size = replicasOf(set);
    const unavailable = size - (set.status.availableReplicas ?? 0);
    if (size === 0 || unavailable === 0) continue;
    if (unavailable < 0) return { sizes, isOutdated: true };
    const count = Math.min(left, unavailable);
    left -= count;
    sizes.push({ set, replicas: size - count });
  }
  return { sizes, isOutdated: false };
}

/** Deletes available old pods down to the minimum. `oldSets` are sorted by creation. Cf. scaleDownOldReplicaSetsForRollingUpdate. */
export function scaledDownSizes(deployment: appsv1.Deployment, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): readonly SetSize[] {
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  let left = availableReplicas([...oldSets, newSet]) - minAvailable;
  return oldSets.flatMap((set) => {
    const size = replicasOf(set);
    if (left <= 0 || size === 0) return [];
    const count = Math.min(size, left);
    left -= count;
    return { set, replicas: size - count };
  });
}
