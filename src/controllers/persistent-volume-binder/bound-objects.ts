import { compareQuantities, isQuantity, sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isBoundTo, storageOf } from './volume-matching.ts';
import type { VolumeNames } from './volume-names.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

/** The volume with a reference to the claim; undefined when it has it already. Cf. GetBindVolumeToClaim. */
export function boundVolume(volume: Volume, claim: Claim, { boundByController }: VolumeNames): Volume | undefined {
  const { claimRef } = volume.spec;
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
  const isReferring = claimRef?.name === name && claimRef.namespace === namespace && claimRef.uid === uid;
  const isMarked = isBoundTo(volume, claim) || volume.metadata.annotations?.[boundByController] !== undefined;
  if (isReferring && isMarked) return undefined;
  const reference = isReferring ? claimRef : { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
  const metadata = isMarked ? volume.metadata : withAnnotation(volume.metadata, boundByController, 'yes');
  return { ...volume, metadata, spec: { ...volume.spec, claimRef: reference } };
}

/** The volume without the reference that the controller made, or without the UID in that of a user. Cf. unbindVolume. */
export function unboundVolume(volume: Volume, { boundByController }: VolumeNames): Volume {
  const { claimRef, ...spec } = volume.spec;
  const { [boundByController]: mark, ...annotations } = volume.metadata.annotations ?? {};
  if (mark !== undefined) return { ...volume, metadata: { ...volume.metadata, annotations }, spec };
  const { uid: _, ...reference } = claimRef ?? {};
  return { ...volume, spec: { ...spec, claimRef: reference } };
}

/** The claim with the name of its volume; undefined when it has it already. Cf. bindClaimToVolume. */
export function boundClaim(claim: Claim, { metadata: { name = '' } }: Volume, names: VolumeNames): Claim | undefined {
  const { bindCompleted, boundByController } = names;
  const isNamed = claim.spec.volumeName === name;
  const annotations = claim.metadata.annotations ?? {};
  if (isNamed && annotations[bindCompleted] !== undefined) return undefined;
  const marked = isNamed ? claim.metadata : withAnnotation(claim.metadata, boundByController, annotations[boundByController] ?? 'yes');
  const metadata = withAnnotation(marked, bindCompleted, annotations[bindCompleted] ?? 'yes');
  return { ...claim, metadata, spec: { ...claim.spec, volumeName: name } };
}

/** The status of a claim in a phase, with what its volume has; undefined when it stays the same. Cf. updateClaimStatus. */
export function claimStatus(
  { status }: Claim,
  phase: string,
  volume: Volume | undefined,
  { preResizeCapacity }: VolumeNames,
): corev1.PersistentVolumeClaimStatus | undefined {
  const { accessModes: _, capacity, currentVolumeAttributesClassName: attributesClass, ...others } = status;
  if (!volume) return sameJson({ ...others, phase }, status) ? undefined : { ...others, phase };
  const isEntered = status.phase !== phase;
  const resized = volume.metadata.annotations?.[preResizeCapacity];
  const isSameSize = capacity?.['storage'] !== undefined && compareQuantities(storageOf(capacity), storageOf(volume.spec.capacity)) === 0;
  // A later difference may be intended: a file system can be smaller than its volume.
  const newCapacity = !isEntered
    ? capacity
    : resized !== undefined && isQuantity(resized)
      ? { ...capacity, storage: resized }
      : isSameSize
        ? capacity
        : volume.spec.capacity;
  const newClass = status.phase === 'Pending' && phase === 'Bound' ? volume.spec.volumeAttributesClassName : attributesClass;
  const wanted = {
    ...others,
    phase,
    accessModes: volume.spec.accessModes ?? [],
    ...(newCapacity ? { capacity: newCapacity } : {}),
    ...(newClass === undefined ? {} : { currentVolumeAttributesClassName: newClass }),
  };
  return sameJson(wanted, status) ? undefined : wanted;
}

export function withAnnotation(metadata: Claim['metadata'], name: string, value: string): Claim['metadata'] {
  return { ...metadata, annotations: { ...metadata.annotations, [name]: value } };
}
