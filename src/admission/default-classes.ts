import type { ApiObject, Product } from '../meta/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';
import { annotationOf, specOf, withSpec } from './object-accessors.ts';
import type { ObjectSource } from './object-source.ts';

/** A claim without a class gets the default one. Cf. upstream plugin/storage/storageclass/setdefault. */
export function defaultStorageClass(classes: ObjectSource, product: Product): AdmissionPlugin {
  const marks = renameAll(product, ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']);
  const classAnnotation = product.rename('volume.beta.kubernetes.io/storage-class');
  return {
    name: 'DefaultStorageClass',
    handles: (write) => write.group === '' && write.resource === 'persistentvolumeclaims' && isCreate(write),
    async mutate(_, claim) {
      if (specOf(claim)['storageClassName'] !== undefined || annotationOf(claim, classAnnotation) !== undefined) return claim;
      const found = newestOf(await findDefaultClasses(classes, marks));
      return found ? withSpec(claim, { storageClassName: found.metadata.name ?? '' }) : claim;
    },
  };
}

/** An Ingress without a class gets the default one. Cf. upstream plugin/network/defaultingressclass. */
export function defaultIngressClass(classes: ObjectSource, product: Product): AdmissionPlugin {
  const marks = renameAll(product, ['ingressclass.kubernetes.io/is-default-class']);
  const classAnnotation = product.rename('kubernetes.io/ingress.class');
  return {
    name: 'DefaultIngressClass',
    handles: (write) => write.resource === 'ingresses' && write.group.startsWith('networking.') && isCreate(write),
    async mutate(_, ingress) {
      const spec = specOf(ingress);
      if (spec['ingressClassName'] !== undefined || annotationOf(ingress, classAnnotation) !== undefined) return ingress;
      const found = newestOf(await findDefaultClasses(classes, marks));
      return found ? { ...ingress, spec: { ingressClassName: found.metadata.name ?? '', ...spec } } : ingress;
    },
  };
}

function isCreate({ operation, subresource }: AdmissionAttributes): boolean {
  return operation === 'CREATE' && subresource === '';
}

function renameAll(product: Product, marks: readonly string[]): readonly string[] {
  return marks.map((mark) => product.rename(mark));
}

async function findDefaultClasses(classes: ObjectSource, marks: readonly string[]): Promise<readonly ApiObject[]> {
  return (await classes.list('')).filter((one) => marks.some((mark) => annotationOf(one, mark) === 'true'));
}

/** Of several defaults the newest wins; among equally old ones, the first by name. */
function newestOf(classes: readonly ApiObject[]): ApiObject | undefined {
  const created = ({ metadata }: ApiObject): string => metadata.creationTimestamp ?? '';
  const byName = (a: ApiObject, b: ApiObject): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
  return [...classes].sort((a, b) => (created(a) === created(b) ? byName(a, b) : created(a) > created(b) ? -1 : 1))[0];
}
