import { type ApiObject, compareQuantities, type Product, parseQuantity, recordAt, textAt } from '../meta/index.ts';
import type { AdmissionPlugin } from './admission.ts';
import { createForbiddenError } from './forbidden-error.ts';
import { annotationOf, specOf } from './object-accessors.ts';
import type { ObjectSource } from './object-source.ts';

/** A claim can be expanded only when its StorageClass allows it. Cf. upstream plugin/storage/persistentvolume/resize. */
export function claimResize(classes: ObjectSource, product: Product): AdmissionPlugin {
  const oldName = product.rename('volume.beta.kubernetes.io/storage-class');
  const classOf = (claim: ApiObject): string => annotationOf(claim, oldName) ?? textAt(specOf(claim), 'storageClassName');
  return {
    name: 'PersistentVolumeClaimResize',
    handles: ({ operation, group, resource, subresource }) =>
      operation === 'UPDATE' && group === '' && resource === 'persistentvolumeclaims' && subresource === '',
    async validate(request, claim, old) {
      if (!old || compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
      if (textAt(recordAt(old, 'status'), 'phase') !== 'Bound')
        throw createForbiddenError(request, claim, 'Only bound persistent volume claims can be expanded');
      const name = classOf(claim);
      const found = name === '' || name !== classOf(old) ? undefined : await classes.find('', name);
      if (found?.['allowVolumeExpansion'] === true) return;
      const why = 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
      throw createForbiddenError(request, claim, why);
    },
  };
}

function sizeOf(claim: ApiObject): ReturnType<typeof parseQuantity> {
  return parseQuantity(textAt(recordAt(recordAt(specOf(claim), 'resources'), 'requests'), 'storage') || '0');
}
