import { controllerOf } from '../../component-helpers/index.ts';
import type { corev1, resourcev1 } from '../../schema/api/index.ts';
import type { PodInfo } from '../framework/pod-info.ts';

export type ClaimLookup = (key: string) => resourcev1.ResourceClaim | undefined;

/** The name of the claim of a pod; undefined: it is not created yet. Cf. dynamic-resource-allocation/resourceclaim Name. */
export function claimName(
  { status }: corev1.Pod,
  { name, resourceClaimName, resourceClaimTemplateName }: corev1.PodResourceClaim,
): string | undefined {
  if (resourceClaimName !== undefined || resourceClaimTemplateName === undefined) return resourceClaimName;
  return status.resourceClaimStatuses?.find((one) => one.name === name)?.resourceClaimName;
}

/** The claims of a pod, or the reason why one cannot be used. */
export function readClaims({ pod, namespace, uid }: PodInfo, lookup: ClaimLookup): readonly resourcev1.ResourceClaim[] | string {
  const claims: resourcev1.ResourceClaim[] = [];
  for (const entry of pod.spec.resourceClaims ?? []) {
    const name = claimName(pod, entry);
    if (name === undefined) {
      // A status without a claim: none is needed.
      if (pod.status.resourceClaimStatuses?.some((one) => one.name === entry.name)) continue;
      return `pod "${namespace}/${pod.metadata.name}": ResourceClaim not created yet`;
    }
    const claim = lookup(`${namespace}/${name}`);
    if (!claim) return `could not find ResourceClaim "${namespace}/${name}"`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${name}" is being deleted`;
    const owner = controllerOf(claim);
    if (entry.resourceClaimTemplateName !== undefined && owner?.uid !== uid) {
      return `ResourceClaim ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
    }
    claims.push(claim);
  }
  return claims;
}
