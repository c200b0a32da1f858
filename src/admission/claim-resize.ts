import { type ApiObject, compareQuantities, type Product, parseQuantity } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { Decoded } from '../schema/index.ts';
import type { AdmissionPlugin } from './admission.ts';
import { createForbiddenError } from './forbidden-error.ts';
import { annotationOf } from './object-accessors.ts';
import type { ObjectSource } from './object-source.ts';

/** A claim can be expanded only when its StorageClass allows it. Cf. upstream plugin/storage/persistentvolume/resize. */
export function claimResize(classes: ObjectSource, product: Product): AdmissionPlugin {
  const oldName = product.rename('volume.beta.kubernetes.io/storage-class');
  const classOf = (claim: ApiObject): string => annotationOf(claim, oldName) ?? specOf(claim).storageClassName ?? '';
  return {
    name: 'PersistentVolumeClaimResize',
    handles: ({ operation, group, resource, subresource }) =>
      operation === 'UPDATE' && group === '' && resource === 'persistentvolumeclaims' && subresource === '',
    async validate(request, claim, old) {
      if (!old || compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
      if (phaseOf(old) !== 'Bound') throw createForbiddenError(request, claim, 'Only bound persistent volume claims can be expanded');
      const name = classOf(claim);
      const found = name === '' || name !== classOf(old) ? undefined : await classes.find('', name);
      if (found?.['allowVolumeExpansion'] === true) return;
      const why = 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
      throw createForbiddenError(request, claim, why);
    },
  };
}

type Claim = Decoded<corev1.PersistentVolumeClaim>;

function specOf({ spec }: Claim): Decoded<corev1.PersistentVolumeClaimSpec> {
  return spec ?? {};
}

function phaseOf({ status }: Claim): string | undefined {
  return status?.phase;
}

function sizeOf(claim: Claim): ReturnType<typeof parseQuantity> {
  return parseQuantity(specOf(claim).resources?.requests?.['storage'] || '0');
}
