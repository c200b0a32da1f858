import { hasStatus } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';
import { controllerOf, isNamespaceTerminating, newControllerReference, podTemplateHash } from '../pods/index.ts';
import { compareRevisions, newReplicaSetAnnotations, replicasAnnotations, revisionOf } from './annotations.ts';
import { conditionOf, newCondition, reasons, withCondition } from './conditions.ts';
import { hasProgressDeadline } from './progress.ts';
import { hashLabel, withHashLabel } from './replica-set-order.ts';
import { maxSurge, newSetReplicas, replicasOf } from './replicas.ts';
import type { Rollout } from './rollout.ts';

/** The longest name of an object. */
const maxNameLength = 253;

/**
 * Writes revision and annotations of the set with the current template, and the revision of the deployment. `isCreated`: creates the set
 * when there is none. Cf. sync.go getAllReplicaSetsAndSyncRevision, getNewReplicaSet.
 */
export async function syncNewSet(rollout: Rollout, isCreated: boolean): Promise<void> {
  const { newSet, oldSets } = rollout.sets;
  const revision = maxRevision(oldSets.map((set) => revisionOf(set, rollout.context.names))) + 1n;
  if (newSet) await syncExistingSet(rollout, newSet, revision);
  else if (isCreated) await createSet(rollout, revision);
}

/** Cf. MaxRevision. */
function maxRevision(revisions: readonly bigint[]): bigint {
  return [0n, ...revisions].sort(compareRevisions).at(-1) ?? 0n;
}

async function syncExistingSet(rollout: Rollout, set: appsv1.ReplicaSet, revision: bigint): Promise<void> {
  const { deployment, context } = rollout;
  const current = set.metadata.annotations ?? {};
  const annotations = newReplicaSetAnnotations(deployment, current, revision, context.names);
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const isAnnotated = Object.entries(annotations).every(([name, value]) => current[name] === value);
  if (!isAnnotated || (set.spec.minReadySeconds ?? 0) !== minReadySeconds) {
    await rollout.updateSet({ ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, minReadySeconds } });
    return;
  }
  const conditions = deployment.status.conditions ?? [];
  const message = `Found new replica set "${set.metadata.name}"`;
  const isUnknown = hasProgressDeadline(deployment) && !conditionOf(conditions, 'Progressing');
  const found = newCondition('Progressing', 'True', reasons.found, message, context.nowMs());
  const status = isUnknown ? { ...deployment.status, conditions: withCondition(conditions, found) } : deployment.status;
  await rollout.updateStatus(status, withRevision(rollout, current[context.names.revision] ?? ''));
}

function withRevision({ deployment, context }: Rollout, revision: string): Readonly<Record<string, string>> {
  return { ...deployment.metadata.annotations, [context.names.revision]: revision };
}

async function createSet(rollout: Rollout, revision: bigint): Promise<void> {
  const { deployment, context } = rollout;
  const set = newReplicaSet(rollout, revision);
  const created = await createOrFind(rollout, set);
  if (!created) return;
  rollout.storeSet(created.set);
  const replicas = replicasOf(set);
  const name = created.set.metadata.name ?? '';
  if (created.isNew && replicas > 0) rollout.event('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`);
  const conditions = deployment.status.conditions ?? [];
  const condition = newCondition('Progressing', 'True', reasons.created, `Created new replica set "${name}"`, context.nowMs());
  const isReported = created.isNew && hasProgressDeadline(deployment);
  const status = isReported ? { ...deployment.status, conditions: withCondition(conditions, condition) } : deployment.status;
  await rollout.updateStatus(status, withRevision(rollout, `${revision}`));
}

/** The set for the current template of the deployment. */
function newReplicaSet(
  { deployment, sets, context }: Rollout,
  revision: bigint,
): Omit<appsv1.ReplicaSet, 'status' | 'kind' | 'apiVersion'> {
  const { metadata, spec, status } = deployment;
  const hash = podTemplateHash(spec.template, status.collisionCount);
  const labels = { ...spec.template.metadata.labels, [hashLabel]: hash };
  const desired = replicasOf(deployment);
  const annotations = {
    ...newReplicaSetAnnotations(deployment, {}, revision, context.names),
    ...replicasAnnotations(desired, desired + maxSurge(deployment), context.names),
  };
  return {
    metadata: {
      name: `${metadata.name?.slice(0, maxNameLength - 1 - hash.length)}-${hash}`,
      namespace: metadata.namespace ?? '',
      labels,
      annotations,
      ownerReferences: [newControllerReference(deployment)],
    },
    spec: {
      replicas: newSetReplicas(deployment, 0, sets.oldSets),
      minReadySeconds: spec.minReadySeconds ?? 0,
      selector: withHashLabel(spec.selector, hash),
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}

interface CreatedSet {
  readonly set: appsv1.ReplicaSet;
  readonly isNew: boolean;
}

/** @throws ApiError after the failure is reported in the status of the deployment */
async function createOrFind(rollout: Rollout, set: ReturnType<typeof newReplicaSet>): Promise<CreatedSet | undefined> {
  try {
    return { set: await rollout.context.replicaSets.create(set), isNew: true };
  } catch (error) {
    const { namespace = '', name = '' } = set.metadata;
    const existing = hasStatus(error, 409) ? rollout.context.cachedSet(namespace, name) : undefined;
    // The creation succeeded before, but the cache did not show it.
    if (existing && rollout.isOwnNewSet(existing, controllerOf(existing)?.uid)) return { set: existing, isNew: false };
    if (existing) await countCollision(rollout);
    else if (!hasStatus(error, 409) && !isNamespaceTerminating(error)) await reportFailure(rollout, name, error);
    throw error;
  }
}

/** Another set has the name: the next hash will differ. */
async function countCollision(rollout: Rollout): Promise<void> {
  const { status } = rollout.deployment;
  await rollout.updateStatus({ ...status, collisionCount: (status.collisionCount ?? 0) + 1 }).catch(() => undefined);
}

async function reportFailure(rollout: Rollout, name: string, error: unknown): Promise<void> {
  const { deployment, context } = rollout;
  const message = `Failed to create new replica set "${name}": ${errorMessage(error)}`;
  if (hasProgressDeadline(deployment)) {
    const condition = newCondition('Progressing', 'False', reasons.notCreated, message, context.nowMs());
    const conditions = withCondition(deployment.status.conditions ?? [], condition);
    // The error of the creation is reported, not that of the status.
    await rollout.updateStatus({ ...deployment.status, conditions }).catch(() => undefined);
  }
  rollout.event('Warning', reasons.notCreated, message);
}
