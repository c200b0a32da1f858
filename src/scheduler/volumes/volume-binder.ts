import {
  type corev1,
  corev1PersistentVolumeClaims,
  corev1PersistentVolumes,
  storagev1CSIDrivers,
  storagev1CSIStorageCapacities,
  storagev1StorageClasses,
} from '../../schema/api/index.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Handle } from '../framework/plugin.ts';
import { AssumedObjects } from './assumed-objects.ts';
import { allowsNode, findVolume, requestedStorage } from './find-volume.ts';
import { claimsOf } from './pod-claims.ts';
import { hasCapacity, matchesTopologies } from './storage-capacity.ts';
import { type VolumeNames, volumeNames } from './volume-names.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

/** The claims of a pod by their state. Cf. volumebinding PodVolumeClaims. */
export interface PodClaims {
  readonly bound: readonly Claim[];
  /** Bound when the pod has a node. */
  readonly delayed: readonly Claim[];
  /** Bound by the controller, whatever the node. */
  readonly immediate: readonly Claim[];
}

/** What must be written before the pod can run on a node. */
export interface NodeVolumes {
  readonly bindings: readonly { readonly claim: Claim; readonly volume: Volume }[];
  /** Claims whose volumes are created for the node. */
  readonly provisions: readonly Claim[];
}

const reasons = {
  affinity: "node(s) didn't match PersistentVolume's node affinity",
  noVolume: "node(s) didn't find available persistent volumes to bind",
  space: 'node(s) did not have enough free storage',
  missing: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
} as const;

const volumeKey = ({ metadata }: Volume): string => metadata.name ?? '';
export const claimKey = ({ metadata }: Claim): string => `${metadata.namespace}/${metadata.name}`;

/** Finds volumes for the claims of pods. Cf. volumebinding volumeBinder. */
export class VolumeBinder {
  readonly names: VolumeNames;
  readonly claims: AssumedObjects<Claim>;
  readonly volumes: AssumedObjects<Volume>;
  readonly #stores: ReturnType<typeof stores>;

  constructor(handle: Handle) {
    this.names = volumeNames(handle.product);
    this.#stores = stores(handle, this.names);
    this.claims = new AssumedObjects(this.#stores.claims);
    this.volumes = new AssumedObjects(this.#stores.volumes);
  }

  /** The claims of a pod, all of which exist. Cf. GetPodVolumeClaims. */
  podClaims(pod: corev1.Pod): PodClaims {
    const [bound, delayed, immediate]: [Claim[], Claim[], Claim[]] = [[], [], []];
    for (const { name } of claimsOf(pod)) {
      const claim = this.claims.get(`${pod.metadata.namespace}/${name}`);
      if (!claim) continue;
      if (this.isBound(claim)) bound.push(claim);
      else if (this.#isDelayed(claim) && !claim.spec.volumeName) delayed.push(claim);
      else immediate.push(claim);
    }
    return { bound, delayed, immediate };
  }

  isBound({ spec, metadata }: Claim): boolean {
    return (spec.volumeName ?? '') !== '' && Object.hasOwn(metadata.annotations ?? {}, this.names.bindCompleted);
  }

  /** The volumes of the claims on a node, or the reasons why there are none. Cf. FindPodVolumes. */
  findVolumes({ bound, delayed }: PodClaims, node: NodeInfo): NodeVolumes | readonly string[] {
    const found = this.#findDelayed(delayed, node);
    const missing = this.#boundProblem(bound, node);
    const problems = [
      missing === reasons.affinity ? missing : '',
      typeof found === 'string' ? found : '',
      missing === reasons.missing ? missing : '',
    ];
    const given = problems.filter((problem) => problem !== '');
    return given.length > 0 || typeof found === 'string' ? given : found;
  }

  #boundProblem(bound: readonly Claim[], node: NodeInfo): string {
    for (const { spec } of bound) {
      const volume = this.volumes.get(spec.volumeName ?? '');
      if (!volume) return reasons.missing;
      if (!allowsNode(volume, node.labels)) return reasons.affinity;
    }
    return '';
  }

  #findDelayed(delayed: readonly Claim[], node: NodeInfo): NodeVolumes | string {
    const isSelected = ({ metadata }: Claim): boolean => Object.hasOwn(metadata.annotations ?? {}, this.names.selectedNode);
    const provisions = delayed.filter(isSelected);
    if (provisions.some(({ metadata }) => metadata.annotations?.[this.names.selectedNode] !== node.name)) return reasons.noVolume;
    const bindings: { readonly claim: Claim; readonly volume: Volume }[] = [];
    const chosen = new Set<string>();
    // The smallest requests first, so that each gets the smallest volume that fits.
    const bySize = delayed.filter((claim) => !isSelected(claim)).sort((a, b) => requestedStorage(a) - requestedStorage(b));
    for (const claim of bySize) {
      const volume = findVolume(claim, this.volumes.byIndex('class', this.#className(claim), volumeKey), node.labels, chosen);
      if (!volume) provisions.push(claim);
      else {
        chosen.add(volumeKey(volume));
        bindings.push({ claim, volume });
      }
    }
    for (const claim of provisions) {
      const problem = this.#provisionProblem(claim, node);
      if (problem !== '') return problem;
    }
    return { bindings, provisions };
  }

  /** Cf. checkVolumeProvisions. */
  #provisionProblem(claim: Claim, { labels }: NodeInfo): string {
    const className = this.#className(claim);
    const storageClass = this.#stores.classes.get(className);
    if (!storageClass) return reasons.noVolume;
    const { provisioner, allowedTopologies } = storageClass;
    if (provisioner === '' || provisioner === this.names.noProvisioner || !matchesTopologies(allowedTopologies, labels))
      return reasons.noVolume;
    if (this.#stores.drivers.get(provisioner)?.spec.storageCapacity !== true) return '';
    const size = requestedStorage(claim);
    return hasCapacity(this.#stores.capacities.list(), { className, size, labels }) ? '' : reasons.space;
  }

  #className({ metadata, spec }: Claim): string {
    return metadata.annotations?.[this.names.storageClass] ?? spec.storageClassName ?? '';
  }

  #isDelayed(claim: Claim): boolean {
    return this.#stores.classes.get(this.#className(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
  }
}

function stores({ store }: Handle, names: VolumeNames) {
  const volumes = store(corev1PersistentVolumes);
  volumes.addIndex('class', ({ metadata, spec }) => [metadata.annotations?.[names.storageClass] ?? spec.storageClassName ?? '']);
  return {
    volumes,
    claims: store(corev1PersistentVolumeClaims),
    classes: store(storagev1StorageClasses),
    drivers: store(storagev1CSIDrivers),
    capacities: store(storagev1CSIStorageCapacities),
  };
}
