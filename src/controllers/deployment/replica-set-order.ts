import { compareByCreation } from '../../component-helpers/index.ts';
import { sameJson } from '../../meta/index.ts';
import type { appsv1, corev1, metav1 } from '../../schema/api/index.ts';
import { replicasOf } from './replicas.ts';

type ReplicaSet = appsv1.ReplicaSet;

/** The label with the hash of the template, on ReplicaSets and pods. */
export const hashLabel = 'pod-template-hash';

/** The larger first; of equal ones the older first. */
export function bySizeOlder(a: ReplicaSet, b: ReplicaSet): number {
  return replicasOf(b) - replicasOf(a) || compareByCreation(a, b);
}

export function bySizeNewer(a: ReplicaSet, b: ReplicaSet): number {
  return replicasOf(b) - replicasOf(a) || compareByCreation(b, a);
}

/** The oldest set with the template of the deployment. Cf. FindNewReplicaSet. */
export function findNewSet(deployment: appsv1.Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets.filter(({ spec }) => equalIgnoringHash(spec.template, deployment.spec.template)).sort(compareByCreation)[0];
}

/** Cf. EqualIgnoreHash. */
export function equalIgnoringHash(a: corev1.PodTemplateSpec, b: corev1.PodTemplateSpec): boolean {
  return sameJson(withoutHash(a), withoutHash(b));
}

/** The template without the label that the controller adds. */
export function withoutHash({ metadata, spec }: corev1.PodTemplateSpec): corev1.PodTemplateSpec {
  const labels = Object.entries(metadata.labels ?? {}).filter(([name]) => name !== hashLabel);
  const { labels: _, ...others } = metadata;
  return { metadata: labels.length === 0 ? others : { ...others, labels: Object.fromEntries(labels) }, spec };
}

/** The only active set; the newest one when none is active; undefined when there are several. Cf. FindActiveOrLatest. */
export function findActiveOrLatest(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = [...oldSets, ...(newSet ? [newSet] : [])].filter((set) => replicasOf(set) > 0);
  if (active.length > 0) return active.length === 1 ? active[0] : undefined;
  return newSet ?? [...oldSets].sort(compareByCreation).at(-1);
}

/** Cf. CloneSelectorAndAddLabel. */
export function withHashLabel(selector: metav1.LabelSelector | null, hash: string): metav1.LabelSelector {
  return { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } };
}
