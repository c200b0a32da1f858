import type { KubeObject } from '../../client/index.ts';
import type { appsv1, corev1, metav1 } from '../../schema/api/index.ts';
import { newControllerReference } from '../pods/index.ts';
import { isInRange } from './ordinals.ts';

/**
 * The owners of claims, with which the collector deletes them: the set when `whenDeleted` is Delete, and a pod that is scaled down when
 * `whenScaled` is Delete. Cf. pkg/controller/statefulset/stateful_set_utils.go.
 */

type Claim = Pick<corev1.PersistentVolumeClaim, 'metadata'>;

/** The owner that the policy requires. */
function requiredOwner(set: appsv1.StatefulSet, pod: corev1.Pod): KubeObject | undefined {
  const { whenDeleted, whenScaled } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenScaled === 'Delete' && !isInRange(set, pod)) return pod;
  return whenDeleted === 'Delete' ? set : undefined;
}

function retainsAll({ spec }: appsv1.StatefulSet): boolean {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return whenDeleted !== 'Delete' && whenScaled !== 'Delete';
}

/** Whether the references of a claim need no change. Cf. isClaimOwnerUpToDate. */
export function isClaimOwnerCurrent(claim: Claim, set: appsv1.StatefulSet, pod: corev1.Pod): boolean {
  // A claim of a former set or pod of the same name is left to the collector.
  if (hasStaleOwner(claim, set) || hasStaleOwner(claim, pod)) return true;
  if (hasUnexpectedController(claim, set, pod)) return !isOwner(claim, set) && !isOwner(claim, pod);
  if (hasNonControllerOwner(claim, set, pod)) return false;
  const required = requiredOwner(set, pod);
  return [set, pod].every((owner) => isOwner(claim, owner) === (owner === required));
}

/** The references that the policy requires; none of the set and the pod when another controller has the claim. */
export function claimOwners(claim: Claim, set: appsv1.StatefulSet, pod: corev1.Pod): readonly metav1.OwnerReference[] {
  const references = (claim.metadata.ownerReferences ?? []).filter((one) => !refersTo(one, set) && !refersTo(one, pod));
  const required = requiredOwner(set, pod);
  if (hasUnexpectedController(claim, set, pod) || !required) return references;
  const isListed = references.some(({ uid }) => uid === required.metadata.uid);
  return isListed ? references : [...references, newControllerReference(required)];
}

/** Whether another object controls a claim that the policy would have to delete. Cf. hasUnexpectedController. */
export function hasUnexpectedController({ metadata }: Claim, set: appsv1.StatefulSet, pod: corev1.Pod): boolean {
  if (retainsAll(set)) return false;
  return (metadata.ownerReferences ?? []).some((reference) => {
    const own = [set, pod].find((owner) => refersTo(reference, owner));
    return own ? reference.uid !== own.metadata.uid : reference.controller === true;
  });
}

/** Whether a reference has the name of the owner and another UID. */
export function hasStaleOwner({ metadata }: Claim, owner: KubeObject): boolean {
  const reference = metadata.ownerReferences?.find((one) => refersTo(one, owner));
  return reference !== undefined && reference.uid !== owner.metadata.uid;
}

function hasNonControllerOwner({ metadata }: Claim, set: appsv1.StatefulSet, pod: corev1.Pod): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ uid, controller }) => (uid === set.metadata.uid || uid === pod.metadata.uid) && controller !== true,
  );
}

function isOwner({ metadata }: Claim, owner: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) ?? false;
}

function refersTo({ apiVersion, kind, name }: metav1.OwnerReference, owner: KubeObject): boolean {
  return apiVersion === owner.apiVersion && kind === owner.kind && name === owner.metadata.name;
}
