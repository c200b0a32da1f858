import { type Product, withMetadata } from '../meta/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

/** Protects volumes, claims and VolumeAttributesClasses with a finalizer while they are in use. Cf. upstream plugin/storage/storageobjectinuseprotection. */
export function storageObjectInUseProtection(product: Product): AdmissionPlugin {
  const finalizers = new Map([
    ['persistentvolumes.', product.rename('kubernetes.io/pv-protection')],
    ['persistentvolumeclaims.', product.rename('kubernetes.io/pvc-protection')],
    [product.rename('volumeattributesclasses.storage.k8s.io'), product.rename('kubernetes.io/vac-protection')],
  ]);
  return {
    name: 'StorageObjectInUseProtection',
    handles: (write) => write.operation === 'CREATE' && write.subresource === '' && finalizers.has(qualifiedResource(write)),
    async mutate(request, object) {
      const finalizer = finalizers.get(qualifiedResource(request)) ?? '';
      const present = object.metadata.finalizers ?? [];
      return present.includes(finalizer) ? object : withMetadata(object, { finalizers: [...present, finalizer] });
    },
  };
}

function qualifiedResource({ group, resource }: AdmissionAttributes): string {
  return `${resource}.${group}`;
}
