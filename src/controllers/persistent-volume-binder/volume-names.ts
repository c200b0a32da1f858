import type { Product } from '../../meta/index.ts';

/** Annotations and names of the volume controllers, with the prefixes of the product. */
export interface VolumeNames {
  readonly bindCompleted: string;
  readonly boundByController: string;
  readonly provisionedBy: string;
  readonly migratedTo: string;
  readonly selectedNode: string;
  readonly provisioner: string;
  readonly betaProvisioner: string;
  readonly betaClass: string;
  readonly preResizeCapacity: string;
  readonly defaultClass: string;
  readonly betaDefaultClass: string;
  /** The finalizer of volumes that plug-ins of the controller manager delete. */
  readonly deletionFinalizer: string;
  /** The finalizer of volumes that external provisioners delete. */
  readonly externalDeletionFinalizer: string;
  /** The prefix of plug-ins of Kubernetes itself. */
  readonly pluginPrefix: string;
}

export function volumeNames({ rename }: Pick<Product, 'rename'>): VolumeNames {
  return {
    bindCompleted: rename('pv.kubernetes.io/bind-completed'),
    boundByController: rename('pv.kubernetes.io/bound-by-controller'),
    provisionedBy: rename('pv.kubernetes.io/provisioned-by'),
    migratedTo: rename('pv.kubernetes.io/migrated-to'),
    selectedNode: rename('volume.kubernetes.io/selected-node'),
    provisioner: rename('volume.kubernetes.io/storage-provisioner'),
    betaProvisioner: rename('volume.beta.kubernetes.io/storage-provisioner'),
    betaClass: rename('volume.beta.kubernetes.io/storage-class'),
    preResizeCapacity: rename('volume.alpha.kubernetes.io/pre-resize-capacity'),
    defaultClass: rename('storageclass.kubernetes.io/is-default-class'),
    betaDefaultClass: rename('storageclass.beta.kubernetes.io/is-default-class'),
    deletionFinalizer: rename('kubernetes.io/pv-controller'),
    externalDeletionFinalizer: rename('external-provisioner.volume.kubernetes.io/finalizer'),
    pluginPrefix: rename('kubernetes.io/'),
  };
}
