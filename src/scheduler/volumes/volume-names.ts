import type { Product } from '../../meta/index.ts';

/** Annotations and names of the product that volumes need. */
export interface VolumeNames {
  readonly bindCompleted: string;
  readonly boundByController: string;
  readonly selectedNode: string;
  readonly storageClass: string;
  /** The provisioner of classes whose volumes are created by hand. */
  readonly noProvisioner: string;
}

export function volumeNames({ rename }: Product): VolumeNames {
  return {
    bindCompleted: rename('pv.kubernetes.io/bind-completed'),
    boundByController: rename('pv.kubernetes.io/bound-by-controller'),
    selectedNode: rename('volume.kubernetes.io/selected-node'),
    storageClass: rename('volume.beta.kubernetes.io/storage-class'),
    noProvisioner: rename('kubernetes.io/no-provisioner'),
  };
}
