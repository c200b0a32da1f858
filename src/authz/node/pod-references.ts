import { type ApiObject, isJsonObject } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Resources that a node may read because a pod on it references them. */
export type ReferencedResource = 'configmaps' | 'persistentvolumeclaims' | 'resourceclaims' | 'secrets' | 'serviceaccounts';

/** Whether a pod references an object of its namespace. Cf. upstream node Graph.AddPod. */
export function referencesObject(pod: ApiObject, what: ReferencedResource, name: string): boolean {
  // Stored objects have the fields of their type.
  return namesOf(pod as unknown as corev1.Pod, what).includes(name);
}

/** Absent names are undefined. */
function namesOf(pod: corev1.Pod, what: ReferencedResource): readonly (string | undefined)[] {
  const { metadata, spec } = pod;
  switch (what) {
    case 'serviceaccounts':
      return [spec.serviceAccountName];
    case 'secrets':
      return [
        ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
        ...containersOf(spec).flatMap(({ envFrom = [], env = [] }) => [
          ...envFrom.map(({ secretRef }) => secretRef?.name),
          ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
        ]),
        ...(spec.volumes ?? []).flatMap(secretsOfPodVolume),
      ];
    case 'configmaps':
      return [
        ...containersOf(spec).flatMap(({ envFrom = [], env = [] }) => [
          ...envFrom.map(({ configMapRef }) => configMapRef?.name),
          ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
        ]),
        ...(spec.volumes ?? []).flatMap((volume) => [
          volume.configMap?.name,
          ...(volume.projected?.sources ?? []).map(({ configMap }) => configMap?.name),
        ]),
      ];
    case 'persistentvolumeclaims':
      return (spec.volumes ?? []).map(({ name, ephemeral, persistentVolumeClaim }) =>
        ephemeral ? `${metadata.name ?? ''}-${name}` : persistentVolumeClaim?.claimName,
      );
    case 'resourceclaims':
      return resourceClaims(pod);
  }
}

function containersOf(spec: corev1.PodSpec): readonly (corev1.Container | corev1.EphemeralContainer)[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** A source of a volume, of any kind: the fields in which it names a secret. */
interface SecretSource {
  readonly secretName?: string;
  readonly secretNamespace?: string;
  readonly secretRef?: corev1.SecretReference;
  readonly nodePublishSecretRef?: corev1.SecretReference;
  readonly nodeStageSecretRef?: corev1.SecretReference;
  readonly nodeExpandSecretRef?: corev1.SecretReference;
}

function secretsOfPodVolume(volume: corev1.Volume): readonly (string | undefined)[] {
  const sources: readonly SecretSource[] = Object.values(volume).filter(isJsonObject);
  return [
    ...sources.flatMap(({ secretName, secretRef, nodePublishSecretRef }) => [secretName, secretRef?.name, nodePublishSecretRef?.name]),
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
  ];
}

/** Claims by name, and claims generated from templates, which the status lists. */
function resourceClaims({ spec, status }: Pick<corev1.Pod, 'spec'> & Partial<Pick<corev1.Pod, 'status'>>): readonly (string | undefined)[] {
  return [
    ...(spec.resourceClaims ?? []).map(({ resourceClaimName }) => resourceClaimName),
    ...(status?.resourceClaimStatuses ?? []).map(({ resourceClaimName }) => resourceClaimName),
    status?.extendedResourceClaimStatus?.resourceClaimName,
  ];
}

/** The secrets needed to mount a volume, as `namespace/name`. Cf. upstream VisitPVSecretNames. */
export function secretsOfVolume(volume: ApiObject): readonly string[] {
  const { spec } = volume as unknown as corev1.PersistentVolume;
  const home = spec.claimRef?.namespace ?? '';
  const { claimRef: _, ...others } = spec;
  const sources: readonly SecretSource[] = Object.values(others).filter(isJsonObject);
  return sources.flatMap((source) => [
    `${source.secretNamespace || home}/${source.secretName ?? ''}`,
    ...[source.secretRef, source.nodePublishSecretRef, source.nodeStageSecretRef, source.nodeExpandSecretRef].map(
      (secret) => `${secret?.namespace || home}/${secret?.name ?? ''}`,
    ),
  ]);
}
