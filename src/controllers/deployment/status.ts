import type { appsv1 } from '../../schema/api/index.ts';
import { type Conditions, newCondition, withCondition } from './conditions.ts';
import { availableReplicas, maxUnavailable, replicasOf, specReplicas, sumOf } from './replicas.ts';

export type DeploymentStatus = appsv1.DeploymentStatus;

/** The sets of a deployment: with its current template, and with earlier ones. */
export interface ReplicaSets {
  readonly newSet: appsv1.ReplicaSet | undefined;
  readonly oldSets: readonly appsv1.ReplicaSet[];
}

export function allSets({ newSet, oldSets }: ReplicaSets): readonly appsv1.ReplicaSet[] {
  return newSet ? [...oldSets, newSet] : oldSets;
}

/** The status that follows from the sets; numbers of 0 are absent. Cf. sync.go calculateStatus. */
export function calculateStatus(deployment: appsv1.Deployment, sets: ReplicaSets, nowMs: number): DeploymentStatus {
  const all = allSets(sets);
  const available = availableReplicas(all);
  const { conditions = [], collisionCount } = deployment.status;
  return statusOf(
    {
      observedGeneration: deployment.metadata.generation ?? 0,
      replicas: sumOf(all, ({ status }) => status.replicas),
      updatedReplicas: sets.newSet?.status.replicas ?? 0,
      readyReplicas: sumOf(all, ({ status }) => status.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, specReplicas(all) - available),
    },
    withCondition(conditions, availability(available >= replicasOf(deployment) - maxUnavailable(deployment), nowMs)),
    collisionCount,
  );
}

function availability(isAvailable: boolean, nowMs: number) {
  return isAvailable
    ? newCondition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', nowMs)
    : newCondition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', nowMs);
}

function statusOf(counts: Readonly<Record<string, number>>, conditions: Conditions, collisionCount: number | undefined): DeploymentStatus {
  const present = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  return { ...present, conditions, ...(collisionCount === undefined ? {} : { collisionCount }) };
}

/** Whether all replicas have the current template and are available. Cf. DeploymentComplete. */
export function isComplete(deployment: appsv1.Deployment, status: DeploymentStatus): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas: available = 0, observedGeneration = 0 } = status;
  const desired = replicasOf(deployment);
  const isObserved = observedGeneration >= (deployment.metadata.generation ?? 0);
  return isObserved && [updatedReplicas, replicas, available].every((count) => count === desired);
}
