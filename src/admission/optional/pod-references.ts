import { type ApiObject, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { podSpecOf, specOf } from '../object-accessors.ts';

/** Volume sources that reference other objects, with their names in the message. */
const volumes: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
};

const projected: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
};

const secretRefs: readonly string[] = ['secretRef', 'secretKeyRef', 'nodePublishSecretRef'];

/** The kind of API objects that a pod references, if any. Cf. upstream pod/util HasAPIObjectReference. */
export function referenceOf(pod: ApiObject): string | undefined {
  const spec = specOf(pod);
  if (podSpecOf(pod).serviceAccountName) return 'serviceaccounts';
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  const sources = containers.flatMap((container) => [
    ...objectsAt(container, 'envFrom'),
    ...objectsAt(container, 'env').map((variable) => recordAt(variable, 'valueFrom')),
  ]);
  const mounted = objectsAt(spec, 'volumes');
  const inVolumes = mounted.flatMap((volume) => [
    volume,
    ...Object.keys(volume).map((type) => recordAt(volume, type)),
    ...objectsAt(recordAt(volume, 'projected'), 'sources'),
  ]);
  const hasField = (places: readonly JsonObject[], names: readonly string[]): boolean =>
    places.some((place) => names.some((name) => place[name] !== undefined));
  const hasSecrets = objectsAt(spec, 'imagePullSecrets').length > 0 || hasField([...sources, ...inVolumes], secretRefs);
  if (hasSecrets || hasField(inVolumes, ['secret', 'azureFile'])) return 'secrets';
  if (hasField(sources, ['configMapRef', 'configMapKeyRef']) || hasField(inVolumes, ['configMap'])) return 'configmaps';
  if (objectsAt(spec, 'resourceClaims').length > 0) return 'resourceclaims';
  return mounted.map(volumeReference).find((reference) => reference !== undefined);
}

function volumeReference(volume: JsonObject): string | undefined {
  const findName = (place: JsonObject, table: Readonly<Record<string, string>>): string | undefined =>
    Object.entries(table).find(([name]) => place[name] !== undefined)?.[1];
  const sources = objectsAt(recordAt(volume, 'projected'), 'sources');
  return findName(volume, volumes) ?? sources.map((one) => findName(one, projected)).find((reference) => reference !== undefined);
}
