import { amountOf, matchesNodeTerms, parseNodeSelector } from '../../component-helpers/index.ts';
import { type Labels, matchesLabels } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { selectorOf } from '../framework/pod-info.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

/** Whether a node may use a volume. Cf. volume CheckNodeAffinity. */
export function allowsNode({ spec }: Volume, labels: Labels): boolean {
  const required = spec.nodeAffinity?.required;
  return !required || matchesNodeTerms(parseNodeSelector(required), { name: '', labels });
}

/** Whether a volume is reserved for a claim. Cf. IsVolumeBoundToClaim. */
function isReservedFor({ spec: { claimRef } }: Volume, { metadata }: Claim): boolean {
  if (claimRef?.name !== metadata.name || claimRef?.namespace !== metadata.namespace) return false;
  return !claimRef?.uid || claimRef.uid === metadata.uid;
}

export function requestedStorage({ spec }: Claim): number {
  return amountOf('storage', spec.resources.requests?.['storage'] ?? '0');
}

function capacityOf({ spec }: Volume): number {
  return amountOf('storage', spec.capacity?.['storage'] ?? '0');
}

/** Whether the volume has the size, the mode and the attributes of the claim, and is not being deleted. */
function hasShape(volume: Volume, claim: Claim): boolean {
  const { volumeMode = 'Filesystem', volumeAttributesClassName = '' } = volume.spec;
  return (
    capacityOf(volume) >= requestedStorage(claim) &&
    volumeMode === (claim.spec.volumeMode ?? 'Filesystem') &&
    volumeAttributesClassName === (claim.spec.volumeAttributesClassName ?? '') &&
    volume.metadata.deletionTimestamp === undefined
  );
}

/**
 * The smallest available volume for a claim on a node, or the one that is reserved for the claim. The volumes are those of the storage
 * class of the claim. Cf. volume FindMatchingVolume.
 */
export function findVolume(claim: Claim, volumes: readonly Volume[], labels: Labels, excluded: ReadonlySet<string>): Volume | undefined {
  const selector = selectorOf(claim.spec.selector ?? {});
  const modes = claim.spec.accessModes ?? [];
  let smallest: Volume | undefined;
  const isSuitable = (volume: Volume): boolean =>
    isFree(volume) &&
    selector !== undefined &&
    matchesLabels(selector, volume.metadata.labels ?? {}) &&
    allowsNode(volume, labels) &&
    modes.every((mode) => volume.spec.accessModes?.includes(mode));
  for (const volume of volumes) {
    if (excluded.has(volume.metadata.name ?? '') || !hasShape(volume, claim)) continue;
    if (isReservedFor(volume, claim)) return allowsNode(volume, labels) ? volume : undefined;
    if (isSuitable(volume) && (!smallest || capacityOf(volume) < capacityOf(smallest))) smallest = volume;
  }
  return smallest;
}

function isFree({ spec, status }: Volume): boolean {
  return spec.claimRef === undefined && status.phase === 'Available';
}
