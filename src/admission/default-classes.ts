import type { ApiObject, Product } from '../meta/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';
import type { ObjectSource } from './object-source.ts';
import { annotationOf, specOf, withSpec } from './reading.ts';

/** A claim that names no class gets the default one. Cf. upstream plugin/storage/storageclass/setdefault. */
export function defaultStorageClass(classes: ObjectSource, product: Product): AdmissionPlugin {
  const marks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
  const ownClass = product.rename('volume.beta.kubernetes.io/storage-class');
  return {
    name: 'DefaultStorageClass',
    async mutate(request, claim) {
      if (request.group !== '' || request.resource !== 'persistentvolumeclaims' || !isNew(request)) return claim;
      if (specOf(claim)['storageClassName'] !== undefined || annotationOf(claim, ownClass) !== undefined) return claim;
      const found = newest(await marked(classes, marks, product));
      return found ? withSpec(claim, { storageClassName: found.metadata.name ?? '' }) : claim;
    },
  };
}

/** An Ingress that names no class gets the default one. Cf. upstream plugin/network/defaultingressclass. */
export function defaultIngressClass(classes: ObjectSource, product: Product): AdmissionPlugin {
  const marks = ['ingressclass.kubernetes.io/is-default-class'];
  const ownClass = product.rename('kubernetes.io/ingress.class');
  return {
    name: 'DefaultIngressClass',
    async mutate(request, ingress) {
      if (request.resource !== 'ingresses' || !request.group.startsWith('networking.') || !isNew(request)) return ingress;
      const spec = specOf(ingress);
      if (spec['ingressClassName'] !== undefined || annotationOf(ingress, ownClass) !== undefined) return ingress;
      const found = newest(await marked(classes, marks, product));
      return found ? { ...ingress, spec: { ingressClassName: found.metadata.name ?? '', ...spec } } : ingress;
    },
  };
}

function isNew({ operation, subresource }: AdmissionRequest): boolean {
  return operation === 'CREATE' && subresource === '';
}

async function marked(classes: ObjectSource, marks: readonly string[], product: Product): Promise<readonly ApiObject[]> {
  const names = marks.map((mark) => product.rename(mark));
  return (await classes.list('')).filter((one) => names.some((name) => annotationOf(one, name) === 'true'));
}

/** Of several defaults the newest counts, of equally old ones the first by name. */
function newest(classes: readonly ApiObject[]): ApiObject | undefined {
  const created = ({ metadata }: ApiObject): string => metadata.creationTimestamp ?? '';
  const byName = (a: ApiObject, b: ApiObject): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
  return [...classes].sort((a, b) => (created(a) === created(b) ? byName(a, b) : created(a) > created(b) ? -1 : 1))[0];
}
