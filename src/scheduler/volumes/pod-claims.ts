import { controllerOf } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { QueueingHint } from '../framework/cluster-events.ts';

/** A claim that a pod names. */
export interface ClaimReference {
  readonly name: string;
  /** Whether the claim is created for the pod. */
  readonly isEphemeral: boolean;
}

/** The claims of the volumes of a pod. */
export function claimsOf({ metadata, spec }: corev1.Pod): readonly ClaimReference[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }): readonly ClaimReference[] => {
    if (persistentVolumeClaim) return [{ name: persistentVolumeClaim.claimName, isEphemeral: false }];
    return ephemeral ? [{ name: `${metadata.name}-${name}`, isEphemeral: true }] : [];
  });
}

/** A hint about changes of claims: whether the claim is one of the pod. */
export const usesClaim: QueueingHint = ({ pod, namespace }, _old, claim) =>
  claim === undefined || (claim.metadata.namespace === namespace && claimsOf(pod).some(({ name }) => name === claim.metadata.name));

/** Why a pod cannot use a claim; undefined: it can. Cf. volumebinding podHasPVCs. */
export function claimProblem(
  { metadata }: corev1.Pod,
  { name, isEphemeral }: ClaimReference,
  claim: corev1.PersistentVolumeClaim | undefined,
): string | undefined {
  if (!claim) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  }
  if (claim.status.phase === 'Lost') {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`;
  }
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  const owner = controllerOf(claim);
  if (!isEphemeral || owner?.uid === metadata.uid) return undefined;
  return `PVC ${metadata.namespace}/${name} was not created for pod ${metadata.namespace}/${metadata.name} (pod is not owner)`;
}
