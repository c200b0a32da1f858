import type { appsv1 } from '../../schema/api/index.ts';
import { compareRevisions, integerAnnotation, revisionOf, rolledBackAnnotations } from './annotations.ts';
import { syncNewSet } from './new-replica-set.ts';
import { equalIgnoringHash, withoutHash } from './replica-set-order.ts';
import type { Rollout } from './rollout.ts';
import { allSets } from './status.ts';

/** The revision that an annotation of the removed API extensions/v1beta1 requests; 0 is the last one. Cf. getRollbackTo. */
export function requestedRollback({ deployment, context }: Rollout): number | undefined {
  return integerAnnotation(deployment.metadata.annotations, context.names.rollbackTo);
}

/** Writes the template of an earlier revision to the deployment. Cf. rollback.go. */
export async function rollBack(rollout: Rollout, requested: number): Promise<void> {
  await syncNewSet(rollout, true);
  const { names } = rollout.context;
  const sets = allSets(rollout.sets);
  const revision = requested === 0 ? lastRevision(sets.map((set) => revisionOf(set, names))) : BigInt(requested);
  const target = sets.find((set) => revisionOf(set, names) === revision);
  const { name } = rollout.deployment.metadata;
  if (revision === 0n || !target) {
    const missing = revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    rollout.event('Warning', 'DeploymentRollbackRevisionNotFound', missing);
    return clearRequest(rollout, rollout.deployment);
  }
  if (equalIgnoringHash(rollout.deployment.spec.template, target.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    rollout.event('Warning', 'DeploymentRollbackTemplateUnchanged', message);
    return clearRequest(rollout, rollout.deployment);
  }
  await clearRequest(rollout, rolledBack(rollout, target));
  rollout.event('Normal', 'DeploymentRollback', `Rolled back deployment "${name}" to revision ${revision}`);
}

function rolledBack({ deployment, context }: Rollout, { metadata, spec }: appsv1.ReplicaSet): appsv1.Deployment {
  const annotations = rolledBackAnnotations(deployment.metadata.annotations, metadata.annotations, context.names);
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations },
    spec: { ...deployment.spec, template: withoutHash(spec.template) },
  };
}

async function clearRequest(rollout: Rollout, deployment: appsv1.Deployment): Promise<void> {
  const { [rollout.context.names.rollbackTo]: _, ...annotations } = deployment.metadata.annotations ?? {};
  await rollout.update({ ...deployment, metadata: { ...deployment.metadata, annotations } });
}

/** The second highest revision; 0 when there is none. Cf. LastRevision. */
export function lastRevision(revisions: readonly bigint[]): bigint {
  return [...revisions].sort(compareRevisions).at(-2) ?? 0n;
}
