import type { Product } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { podRevisionLabel } from '../history/index.ts';
import { newControllerReference, podNamePrefix } from '../pods/index.ts';
import { claimName, isMemberOf, ordinalOf, podName, startOrdinal } from './ordinals.ts';

/** A revision as the set of which the pods are created: the set with the template of the revision. */
export interface VersionedSet {
  readonly set: appsv1.StatefulSet;
  /** The name of the revision. */
  readonly revision: string;
}

/** The label of pods with their own name. */
const nameLabel = 'statefulset.kubernetes.io/pod-name';
const indexLabel = 'apps.kubernetes.io/pod-index';

/** A pod that is not created yet: it has no phase. Cf. newVersionedStatefulSetPod. */
export function newVersionedPod(
  current: VersionedSet,
  update: VersionedSet,
  ordinal: number,
  product: Pick<Product, 'rename'>,
): corev1.Pod {
  return isCurrentRevisionNeeded(current.set, ordinal) ? newPod(current, ordinal, product) : newPod(update, ordinal, product);
}

/** Pods below the partition remain at the current revision. */
function isCurrentRevisionNeeded(set: appsv1.StatefulSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy;
  if (type !== 'RollingUpdate') return false;
  const old = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status.currentReplicas ?? 0);
  return ordinal < startOrdinal(set) + old;
}

function newPod({ set, revision }: VersionedSet, ordinal: number, product: Pick<Product, 'rename'>): corev1.Pod {
  const { metadata, spec } = set.spec.template;
  const { labels, annotations, finalizers } = metadata;
  const name = podName(set, ordinal);
  const { namespace } = set.metadata;
  const { serviceName } = set.spec;
  const pod: corev1.Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: podNamePrefix(set.metadata.name ?? ''),
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [podRevisionLabel]: revision },
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [newControllerReference(set)],
    },
    spec: { ...spec, hostname: name, ...(serviceName ? { subdomain: serviceName } : {}) },
    status: {},
  };
  return withStorage(set, withIdentity(set, pod, product));
}

export function revisionOf({ metadata }: Pick<corev1.Pod, 'metadata'>): string {
  return metadata.labels?.[podRevisionLabel] ?? '';
}

/** Whether the pod has the name and the name label of a member of the set. Cf. identityMatches. */
export function hasIdentity(set: appsv1.StatefulSet, pod: corev1.Pod, product: Pick<Product, 'rename'>): boolean {
  const ordinal = ordinalOf(pod);
  const { name, labels } = pod.metadata;
  return ordinal >= 0 && isMemberOf(set, pod) && name === podName(set, ordinal) && labels?.[product.rename(nameLabel)] === name;
}

/** Cf. updateIdentity. */
export function withIdentity(set: appsv1.StatefulSet, pod: corev1.Pod, product: Pick<Product, 'rename'>): corev1.Pod {
  const ordinal = ordinalOf(pod);
  const name = podName(set, ordinal);
  const labels = { ...pod.metadata.labels, [product.rename(nameLabel)]: name, [product.rename(indexLabel)]: String(ordinal) };
  return { ...pod, metadata: { ...pod.metadata, name, labels } };
}

/** Whether the volumes of a pod are the claims of the set. Cf. storageMatches. */
export function hasStorage(set: appsv1.StatefulSet, pod: corev1.Pod): boolean {
  const ordinal = ordinalOf(pod);
  if (ordinal < 0) return false;
  return (set.spec.volumeClaimTemplates ?? []).every((template) => {
    const volume = pod.spec.volumes?.find(({ name }) => name === template.metadata.name);
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal);
  });
}

/** Replaces volumes with the names of claim templates by their claims. Cf. updateStorage. */
export function withStorage(set: appsv1.StatefulSet, pod: corev1.Pod): corev1.Pod {
  const templates = set.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0) return pod;
  const claims = templates.map((template) => ({
    name: template.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinalOf(pod)) },
  }));
  const others = (pod.spec.volumes ?? []).filter(({ name }) => !claims.some((claim) => claim.name === name));
  return { ...pod, spec: { ...pod.spec, volumes: [...claims, ...others] } };
}

/** The claims of a pod, as they are created. Cf. getPersistentVolumeClaims. */
export function claimsOf(set: appsv1.StatefulSet, pod: corev1.Pod): readonly corev1.PersistentVolumeClaim[] {
  const { namespace } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinalOf(pod)),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata.labels, ...set.spec.selector?.matchLabels },
    },
  }));
}
