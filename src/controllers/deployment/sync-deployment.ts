import { keyOf } from '../../client/index.ts';
import { compareByCreation } from '../../component-helpers/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { isPodTerminal } from '../pods/index.ts';
import { compareRevisions, integerAnnotation, revisionOf } from './annotations.ts';
import { conditionOf, newCondition, reasons, withCondition } from './conditions.ts';
import { syncNewSet } from './new-replica-set.ts';
import { hasProgressDeadline, rolloutStatus } from './progress.ts';
import { findActiveOrLatest } from './replica-set-order.ts';
import { activeSets, isRollingUpdate, newSetReplicas, replicasOf, specReplicas, sumOf } from './replicas.ts';
import { requestedRollback, rollBack } from './rollback.ts';
import type { Rollout } from './rollout.ts';
import { maxScaledDown, proportionalSizes, type SetSize, scaledDownSizes, unhealthySizes } from './scaling.ts';
import { allSets, calculateStatus, type DeploymentStatus, isComplete } from './status.ts';

/** The result of a rollout step: its status was already written and shows no change. */
export interface Unchanged {
  readonly status: DeploymentStatus;
}

/** The pods of the deployment's sets, by UID of the set. Only for a deployment that recreates its pods. */
export type PodsBySet = ReadonlyMap<string, readonly corev1.Pod[]>;

/** Makes one step towards the desired state. Cf. deployment_controller.go syncDeployment. */
export async function syncDeployment(rollout: Rollout, podsOfSets: () => PodsBySet): Promise<Unchanged | undefined> {
  if (rollout.deployment.metadata.deletionTimestamp !== undefined) {
    await syncNewSet(rollout, false);
    await syncStatus(rollout);
    return undefined;
  }
  await reportPause(rollout);
  if (rollout.deployment.spec.paused) return scaleOnly(rollout);
  const rollback = requestedRollback(rollout);
  if (rollback !== undefined) {
    await rollBack(rollout, rollback);
    return undefined;
  }
  await syncNewSet(rollout, false);
  if (isScaled(rollout)) return scaleOnly(rollout);
  return isRollingUpdate(rollout.deployment) ? rollOut(rollout) : recreate(rollout, podsOfSets);
}

/** A pause stops the deadline. Cf. checkPausedConditions. */
async function reportPause(rollout: Rollout): Promise<void> {
  const { deployment, context } = rollout;
  const { conditions = [] } = deployment.status;
  const reason = conditionOf(conditions, 'Progressing')?.reason;
  const isPaused = deployment.spec.paused === true;
  if (!hasProgressDeadline(deployment) || reason === reasons.timedOut || isPaused === (reason === reasons.paused)) return;
  const condition = isPaused
    ? newCondition('Progressing', 'Unknown', reasons.paused, 'Deployment is paused', context.nowMs())
    : newCondition('Progressing', 'Unknown', reasons.resumed, 'Deployment is resumed', context.nowMs());
  await rollout.updateStatus({ ...deployment.status, conditions: withCondition(conditions, condition) });
}

/** Whether the replicas of the deployment changed since the last scaling. Cf. isScalingEvent. */
function isScaled({ deployment, sets, context }: Rollout): boolean {
  const desired = activeSets(allSets(sets)).map(({ metadata }) => integerAnnotation(metadata.annotations, context.names.desiredReplicas));
  return desired.some((replicas) => replicas !== undefined && replicas !== replicasOf(deployment));
}

/** Cf. sync.go sync. */
async function scaleOnly(rollout: Rollout): Promise<undefined> {
  await syncNewSet(rollout, false);
  await scale(rollout);
  if (rollout.deployment.spec.paused && requestedRollback(rollout) === undefined) await cleanUpHistory(rollout);
  await syncStatus(rollout);
  return undefined;
}

/** Cf. sync.go scale. */
async function scale(rollout: Rollout): Promise<void> {
  const { deployment, sets, context } = rollout;
  const { newSet, oldSets } = sets;
  const only = findActiveOrLatest(newSet, oldSets);
  // With annotations of another size the deployment is taken for scaled forever, and never rolled out (kubernetes/kubernetes#138036).
  if (only && hasSizeOf(rollout, only)) await rollout.scaleSet({ set: only, replicas: replicasOf(deployment) });
  else if (only) await rollout.resizeSet({ set: only, replicas: replicasOf(deployment) });
  else if (newSet && isSaturated(rollout, newSet)) await rollout.scaleSets(toZero(activeSets(oldSets)));
  else if (isRollingUpdate(deployment)) {
    const maxBefore = ({ metadata }: appsv1.ReplicaSet) => integerAnnotation(metadata.annotations, context.names.maxReplicas);
    for (const size of proportionalSizes(deployment, allSets(sets), maxBefore)) await rollout.resizeSet(size);
  }
}

/** Whether a set was written for the size of the deployment, or is not counted by the controller. */
function hasSizeOf({ deployment, context }: Rollout, { metadata }: appsv1.ReplicaSet): boolean {
  const desired = integerAnnotation(metadata.annotations, context.names.desiredReplicas);
  return desired === undefined || desired === replicasOf(deployment);
}

/** Whether the new set has all replicas, and they are available. Cf. IsSaturated. */
function isSaturated({ deployment, context }: Rollout, { metadata, spec, status }: appsv1.ReplicaSet): boolean {
  const replicas = replicasOf(deployment);
  const desired = integerAnnotation(metadata.annotations, context.names.desiredReplicas);
  return replicasOf({ spec }) === replicas && desired === replicas && (status.availableReplicas ?? 0) === replicas;
}

function toZero(sets: readonly appsv1.ReplicaSet[]): readonly SetSize[] {
  return sets.map((set) => ({ set, replicas: 0 }));
}

/** Cf. rolling.go rolloutRolling. */
async function rollOut(rollout: Rollout): Promise<Unchanged | undefined> {
  await syncNewSet(rollout, true);
  const isStepMade = (await scaleNewSet(rollout)) || (await scaleDownOldSets(rollout));
  if (!isStepMade && isComplete(rollout.deployment, rollout.deployment.status)) await cleanUpHistory(rollout);
  return syncRolloutStatus(rollout);
}

/** Cf. reconcileNewReplicaSet. */
async function scaleNewSet(rollout: Rollout): Promise<boolean> {
  const { newSet, oldSets } = rollout.sets;
  if (!newSet) return false;
  const [size, desired] = [replicasOf(newSet), replicasOf(rollout.deployment)];
  const replicas = size >= desired ? desired : newSetReplicas(rollout.deployment, size, oldSets);
  return rollout.scaleSet({ set: newSet, replicas });
}

/** Cf. reconcileOldReplicaSets. */
async function scaleDownOldSets(rollout: Rollout): Promise<boolean> {
  const sorted = (): appsv1.ReplicaSet[] => [...activeSets(rollout.sets.oldSets)].sort(compareByCreation);
  const { newSet } = rollout.sets;
  if (!newSet || specReplicas(sorted()) === 0) return false;
  const limit = maxScaledDown(rollout.deployment, newSet, sorted());
  if (limit <= 0) return false;
  const { sizes, isOutdated } = unhealthySizes(sorted(), limit);
  const isCleanedUp = await rollout.scaleSets(sizes);
  if (isOutdated) return false;
  const isScaledDown = await rollout.scaleSets(scaledDownSizes(rollout.deployment, newSet, sorted()));
  return isCleanedUp || isScaledDown;
}

/** Cf. recreate.go rolloutRecreate. */
async function recreate(rollout: Rollout, podsOfSets: () => PodsBySet): Promise<Unchanged | undefined> {
  const { oldSets, newSet } = rollout.sets;
  if (await rollout.scaleSets(toZero(activeSets(oldSets)))) return syncRolloutStatus(rollout);
  if (areOldPodsRunning(oldSets, newSet, podsOfSets())) return syncRolloutStatus(rollout);
  if (!newSet) await syncNewSet(rollout, true);
  const created = rollout.sets.newSet;
  if (created) await rollout.scaleSet({ set: created, replicas: replicasOf(rollout.deployment) });
  if (isComplete(rollout.deployment, rollout.deployment.status)) await cleanUpHistory(rollout);
  return syncRolloutStatus(rollout);
}

/** Terminating pods are running. Cf. oldPodsRunning. */
export function areOldPodsRunning(
  oldSets: readonly appsv1.ReplicaSet[],
  newSet: appsv1.ReplicaSet | undefined,
  podsOfSets: PodsBySet,
): boolean {
  if (sumOf(oldSets, ({ status }) => status.replicas) > 0) return true;
  const old = [...podsOfSets].filter(([uid]) => uid !== newSet?.metadata.uid);
  return old.some(([, pods]) => pods.some((pod) => !isPodTerminal(pod)));
}

/** Cf. cleanupDeployment. */
async function cleanUpHistory({ deployment, sets, context }: Rollout): Promise<void> {
  for (const set of surplusOfHistory(deployment, sets.oldSets, (one) => revisionOf(one, context.names))) {
    await ignoreNotFound(context.replicaSets.delete(keyOf(set)));
  }
}

const maxInt32 = 2 ** 31 - 1;

/** The old sets beyond the limit of the history, unless they have pods. */
export function surplusOfHistory(
  { spec }: Pick<appsv1.Deployment, 'spec'>,
  oldSets: readonly appsv1.ReplicaSet[],
  revision: (set: appsv1.ReplicaSet) => bigint,
): readonly appsv1.ReplicaSet[] {
  const { revisionHistoryLimit: limit } = spec;
  if (limit === undefined || limit === maxInt32) return [];
  const sets = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const oldestFirst = [...sets].sort((a, b) => compareRevisions(revision(a), revision(b)) || compareByCreation(a, b));
  return oldestFirst.slice(0, Math.max(0, sets.length - limit)).filter(({ metadata, spec: { replicas = 1 }, status }) => {
    const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0);
    return replicas === 0 && status.replicas === 0 && isObserved;
  });
}

async function syncStatus(rollout: Rollout): Promise<void> {
  await rollout.updateStatus(calculateStatus(rollout.deployment, rollout.sets, rollout.context.nowMs()));
}

async function syncRolloutStatus(rollout: Rollout): Promise<Unchanged | undefined> {
  const status = rolloutStatus(rollout.deployment, rollout.sets, rollout.context.nowMs());
  return (await rollout.updateStatus(status)) ? undefined : { status };
}
