import type { corev1, resourcev1 } from '../../schema/api/index.ts';
import { controllerOf, isControlledBy, isPodTerminal } from '../pods/index.ts';

/** The claim of a pod: its name, which may be unknown yet (undefined), or that it needs none (null). Cf. resourceclaim.Name. */
export function claimNameOf({ status }: corev1.Pod, { name, resourceClaimName }: corev1.PodResourceClaim): string | null | undefined {
  if (resourceClaimName !== undefined) return resourceClaimName;
  const known = status.resourceClaimStatuses?.find((one) => one.name === name);
  return known && (known.resourceClaimName ?? null);
}

/** The names of the claims of a pod that exist or should exist. */
export function claimNamesOfPod(pod: corev1.Pod): readonly string[] {
  return (pod.spec.resourceClaims ?? []).flatMap((podClaim) => claimNameOf(pod, podClaim) ?? []);
}

/** Whether none of the containers will run any more. Cf. isPodDone. */
export function isPodDone(pod: corev1.Pod): boolean {
  return isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && !pod.spec.nodeName);
}

/** Whether a pod that has a node still has to be added to the users of an allocated claim. */
export function needsReservation(pod: corev1.Pod, { status }: resourcev1.ResourceClaim): boolean {
  const users = status?.reservedFor ?? [];
  return (
    Boolean(pod.spec.nodeName) &&
    status?.allocation !== undefined &&
    !users.some(({ uid }) => uid === pod.metadata.uid) &&
    users.length < maxUsers
  );
}

/** Upstream ResourceClaimReservedForMaxSize. */
const maxUsers = 256;

/** Whether a pod has claims to create or to reserve. Cf. podNeedsWork. */
export function needsWork(pod: corev1.Pod, claimOf: (name: string) => resourcev1.ResourceClaim | undefined): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  for (const podClaim of pod.spec.resourceClaims ?? []) {
    const name = claimNameOf(pod, podClaim);
    if (name === undefined) return true;
    if (name === null) return false;
    const claim = claimOf(name);
    const isGenerated = podClaim.resourceClaimTemplateName !== undefined;
    if (!claim) return isGenerated;
    if (isGenerated && !isControlledBy(claim, pod)) return false;
    if (needsReservation(pod, claim)) return true;
  }
  return false;
}

/** The pod for which a claim was generated. */
export function owningPod(claim: resourcev1.ResourceClaim): { readonly name: string; readonly uid: string } | undefined {
  const owner = controllerOf(claim);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' ? owner : undefined;
}

/** The start of the name of a generated claim; long names are shortened in proportion. */
export function generatedClaimPrefix(pod: string, podClaim: string): string {
  const prefix = `${pod}-${podClaim}-`;
  const maxLength = 57;
  if (prefix.length <= maxLength) return prefix;
  const shorten = (name: string): string => name.slice(0, Math.trunc((name.length * maxLength) / prefix.length));
  return `${shorten(pod)}-${shorten(podClaim)}`;
}
