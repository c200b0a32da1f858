import { type ApiObject, isJsonObject, type JsonObject, objectsAt, recordAt, textAt } from '../../meta/index.ts';

/** Resources that a node may read because a pod on it references them. */
export type ReferencedResource = 'configmaps' | 'persistentvolumeclaims' | 'resourceclaims' | 'secrets' | 'serviceaccounts';

/** Whether a pod references an object of its namespace. Cf. upstream node Graph.AddPod. */
export function referencesObject(pod: ApiObject, what: ReferencedResource, name: string): boolean {
  return namesOf(pod, what).includes(name);
}

function namesOf(pod: ApiObject, what: ReferencedResource): readonly string[] {
  const spec = recordAt(pod as unknown as JsonObject, 'spec');
  switch (what) {
    case 'serviceaccounts':
      return [textAt(spec, 'serviceAccountName')];
    case 'secrets':
      return [
        ...objectsAt(spec, 'imagePullSecrets').map((reference) => textAt(reference, 'name')),
        ...fromContainers(spec, 'secretRef', 'secretKeyRef'),
        ...volumeSources(spec).flatMap(secretsOfSource),
      ];
    case 'configmaps':
      return [
        ...fromContainers(spec, 'configMapRef', 'configMapKeyRef'),
        ...objectsAt(spec, 'volumes').flatMap((volume) => [
          textAt(recordAt(volume, 'configMap'), 'name'),
          ...projectedNames(recordAt(volume, 'projected'), 'configMap'),
        ]),
      ];
    case 'persistentvolumeclaims':
      return objectsAt(spec, 'volumes').map((volume) =>
        isJsonObject(volume['ephemeral'])
          ? `${pod.metadata.name ?? ''}-${textAt(volume, 'name')}`
          : textAt(recordAt(volume, 'persistentVolumeClaim'), 'claimName'),
      );
    case 'resourceclaims':
      return resourceClaims(spec, recordAt(pod as unknown as JsonObject, 'status'));
  }
}

function fromContainers(spec: JsonObject, fromRef: string, keyRef: string): readonly string[] {
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  return containers.flatMap((container) => [
    ...objectsAt(container, 'envFrom').map((from) => textAt(recordAt(from, fromRef), 'name')),
    ...objectsAt(container, 'env').map((env) => textAt(recordAt(recordAt(env, 'valueFrom'), keyRef), 'name')),
  ]);
}

function volumeSources(spec: JsonObject): readonly JsonObject[] {
  return objectsAt(spec, 'volumes').flatMap((volume) => Object.values(volume).filter(isJsonObject));
}

/** The fields in which volume sources name a secret. */
function secretsOfSource(source: JsonObject): readonly string[] {
  return [
    textAt(source, 'secretName'),
    textAt(recordAt(source, 'secretRef'), 'name'),
    textAt(recordAt(source, 'nodePublishSecretRef'), 'name'),
    ...projectedNames(source, 'secret'),
  ];
}

function projectedNames(projected: JsonObject, what: 'secret' | 'configMap'): readonly string[] {
  return objectsAt(projected, 'sources').map((source) => textAt(recordAt(source, what), 'name'));
}

/** Claims by name, and claims generated from templates, which the status lists. */
function resourceClaims(spec: JsonObject, status: JsonObject): readonly string[] {
  return [
    ...objectsAt(spec, 'resourceClaims').map((claim) => textAt(claim, 'resourceClaimName')),
    ...objectsAt(status, 'resourceClaimStatuses').map((claim) => textAt(claim, 'resourceClaimName')),
    textAt(recordAt(status, 'extendedResourceClaimStatus'), 'resourceClaimName'),
  ];
}

/** The secrets needed to mount a volume, as `namespace/name`. Cf. upstream VisitPVSecretNames. */
export function secretsOfVolume(volume: ApiObject): readonly string[] {
  const spec = recordAt(volume as unknown as JsonObject, 'spec');
  const home = textAt(recordAt(spec, 'claimRef'), 'namespace');
  const found: string[] = [];
  for (const [kind, source] of Object.entries(spec)) {
    if (!isJsonObject(source) || kind === 'claimRef') continue;
    found.push(`${textAt(source, 'secretNamespace') || home}/${textAt(source, 'secretName')}`);
    for (const reference of ['secretRef', 'nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef']) {
      const secret = recordAt(source, reference);
      found.push(`${textAt(secret, 'namespace') || home}/${textAt(secret, 'name')}`);
    }
  }
  return found;
}
