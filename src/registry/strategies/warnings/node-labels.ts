import type { Product } from '../../../meta/index.ts';
import type { corev1, nodev1, storagev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { KindRow } from '../kind-row.ts';

type Warnings<T> = NonNullable<KindRow<Decoded<T>>['warnings']>;

/** Deprecated node labels, renamed or without effect. */
const deprecatedLabelTexts: readonly (readonly [label: string, text: string])[] = [
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
];

export type DeprecatedLabels = ReadonlyMap<string, string>;
const labelsOf = new WeakMap<Product, DeprecatedLabels>();

/** Warning texts by deprecated label. */
export function deprecatedLabels(product: Product): DeprecatedLabels {
  const known = labelsOf.get(product);
  if (known) return known;
  const texts = new Map(deprecatedLabelTexts.map(([label, text]) => [product.rename(label), product.rename(text)]));
  labelsOf.set(product, texts);
  return texts;
}

/** Warnings of a node selector term. */
export function termLabelWarnings(
  term: Decoded<Pick<corev1.NodeSelectorTerm, 'matchExpressions'>>,
  path: string,
  deprecated: DeprecatedLabels,
): readonly string[] {
  return (term.matchExpressions ?? []).flatMap((expression, index) => {
    const key = expression.key ?? '';
    const text = deprecated.get(key);
    return text === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${text}`];
  });
}

export const storageClassWarnings: Warnings<storagev1.StorageClass> = (storageClass, _, { product }) => {
  const deprecated = deprecatedLabels(product);
  return (storageClass.allowedTopologies ?? []).flatMap((topology, at) =>
    (topology.matchLabelExpressions ?? []).flatMap((expression, index) => {
      const text = deprecated.get(expression.key ?? '');
      return text === undefined ? [] : [`allowedTopologies[${at}].matchLabelExpressions[${index}].key: ${text}`];
    }),
  );
};

export const storageCapacityWarnings: Warnings<storagev1.CSIStorageCapacity> = (capacity, _, { product }) => {
  const deprecated = deprecatedLabels(product);
  const topology = capacity.nodeTopology ?? {};
  const labels = Object.keys(topology.matchLabels ?? {}).flatMap((label) => {
    const text = deprecated.get(label);
    return text === undefined ? [] : [`nodeTopology.matchLabels.${label}: ${text}`];
  });
  return [...termLabelWarnings(topology, 'nodeTopology', deprecated), ...labels];
};

export const runtimeClassWarnings: Warnings<nodev1.RuntimeClass> = (runtimeClass, _, { product }) => {
  const deprecated = deprecatedLabels(product);
  const selector = runtimeClass.scheduling?.nodeSelector ?? {};
  return Object.keys(selector).flatMap((label) => {
    const text = deprecated.get(label);
    return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`];
  });
};

/** Warnings of a volume's node affinity. */
export function volumeLabelWarnings(spec: Decoded<corev1.PersistentVolumeSpec>, product: Product): readonly string[] {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const path = 'spec.nodeAffinity.required.nodeSelectorTerms';
  return terms.flatMap((term, index) => termLabelWarnings(term, `${path}[${index}]`, deprecatedLabels(product)));
}
