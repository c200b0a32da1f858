import { compareQuantities, compareTexts, goQuote, groupBy, parseQuantity, type Quantity } from '../../meta/index.ts';
import type { corev1, storagev1 } from '../../schema/api/index.ts';
import { labelMatcher } from '../pods/index.ts';
import type { VolumeNames } from './volume-names.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

/** Cf. GetPersistentVolumeClaimClass, GetPersistentVolumeClass. */
export function classOf({ metadata, spec }: Claim | Volume, { betaClass }: Pick<VolumeNames, 'betaClass'>): string {
  return metadata.annotations?.[betaClass] ?? spec.storageClassName ?? '';
}

export function hasClass({ metadata, spec }: Claim, { betaClass }: Pick<VolumeNames, 'betaClass'>): boolean {
  return metadata.annotations?.[betaClass] !== undefined || spec.storageClassName !== undefined;
}

/** Whether the volume refers to the claim; a reference without UID was made by a user. Cf. IsVolumeBoundToClaim. */
export function isBoundTo({ spec: { claimRef } }: Volume, { metadata }: Claim): boolean {
  if (!claimRef || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return !claimRef.uid || claimRef.uid === metadata.uid;
}

export function storageOf(amounts: Readonly<Record<string, string>> | undefined): Quantity {
  return parseQuantity(amounts?.['storage'] ?? '0');
}

export function hasDifferentMode({ spec: claim }: Claim, { spec: volume }: Volume): boolean {
  return (claim.volumeMode ?? 'Filesystem') !== (volume.volumeMode ?? 'Filesystem');
}

/** Why a volume that the claim names cannot be bound to it; undefined when it can. Cf. checkVolumeSatisfyClaim. */
export function mismatchOf(volume: Volume, claim: Claim, names: VolumeNames): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion ${goQuote(volume.metadata.name ?? '')}`;
  if (compareQuantities(storageOf(volume.spec.capacity), storageOf(claim.spec.resources.requests)) < 0) return 'requested PV is too small';
  if (classOf(volume, names) !== classOf(claim, names)) return 'storageClassName does not match';
  if (attributesClassOf(volume) !== attributesClassOf(claim)) return 'volumeAttributesClassName does not match';
  if (hasDifferentMode(claim, volume)) return 'incompatible volumeMode';
  return hasAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

/**
 * The volume that refers to the claim, or else the smallest available one; volumes with fewer access modes first. With delayed binding the
 * scheduler chooses the volume. Cf. persistentVolumeOrderedIndex.findByClaim, FindMatchingVolume.
 */
export function findVolume(volumes: readonly Volume[], claim: Claim, isDelayed: boolean, names: VolumeNames): Volume | undefined {
  const suitable = volumes.filter((volume) => hasAccessModes(volume, claim));
  const byModes = groupBy(suitable, ({ spec }) => [...new Set(spec.accessModes)].sort().join(','));
  const groups = [...byModes].sort(([one], [other]) => one.split(',').length - other.split(',').length);
  for (const [, group] of groups) {
    const found = findInGroup(group, claim, isDelayed, names);
    if (found) return found;
  }
  return undefined;
}

function findInGroup(volumes: readonly Volume[], claim: Claim, isDelayed: boolean, names: VolumeNames): Volume | undefined {
  const requested = storageOf(claim.spec.resources.requests);
  const matches = claim.spec.selector ? labelMatcher(claim.spec.selector) : () => true;
  const isUsable = (volume: Volume): boolean =>
    (!volume.spec.claimRef || isBoundTo(volume, claim)) &&
    compareQuantities(storageOf(volume.spec.capacity), requested) >= 0 &&
    !hasDifferentMode(claim, volume) &&
    attributesClassOf(volume) === attributesClassOf(claim) &&
    volume.metadata.deletionTimestamp === undefined;
  const isAvailable = ({ metadata, status }: Volume): boolean => !isDelayed && status.phase === 'Available' && matches(metadata.labels);
  let smallest: Volume | undefined;
  for (const volume of volumes.filter(isUsable)) {
    if (isBoundTo(volume, claim)) return volume;
    if (!isAvailable(volume) || classOf(volume, names) !== classOf(claim, names)) continue;
    if (!smallest || compareQuantities(storageOf(volume.spec.capacity), storageOf(smallest.spec.capacity)) < 0) smallest = volume;
  }
  return smallest;
}

/** The newest default class. Cf. GetDefaultClass. */
export function defaultClassOf(classes: readonly storagev1.StorageClass[], names: VolumeNames): storagev1.StorageClass | undefined {
  const defaults = classes.filter(({ metadata: { annotations } }) =>
    [names.defaultClass, names.betaDefaultClass].some((annotation) => annotations?.[annotation] === 'true'),
  );
  const [newest] = defaults.sort(
    ({ metadata: one }, { metadata: other }) =>
      compareTexts(other.creationTimestamp ?? '', one.creationTimestamp ?? '') || compareTexts(one.name ?? '', other.name ?? ''),
  );
  return newest;
}

function attributesClassOf({ spec }: Claim | Volume): string {
  return spec.volumeAttributesClassName ?? '';
}

function hasAccessModes({ spec: volume }: Volume, { spec: claim }: Claim): boolean {
  return (claim.accessModes ?? []).every((mode) => volume.accessModes?.includes(mode));
}
