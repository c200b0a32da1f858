import type { Product } from '../../meta/index.ts';

type Labels = Readonly<Record<string, string>>;

/** System labels that a kubelet may set on its own node. Cf. upstream kubelet/apis well_known_labels. */
const kubeletLabels: readonly string[] = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];

/** The changed labels that a node may not set on itself, sorted. */
export function forbiddenLabels(labels: Labels, before: Labels, product: Product): readonly string[] {
  const { rename } = product;
  const isBelow = (namespace: string, parents: readonly string[]): boolean =>
    parents.map((parent) => rename(parent)).some((parent) => namespace === parent || namespace.endsWith(`.${parent}`));
  const kubelets = new Set(kubeletLabels.map((label) => rename(label)));
  const isForbidden = (label: string): boolean => {
    const namespace = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
    if (isBelow(namespace, ['node-restriction.kubernetes.io'])) return true;
    if (!isBelow(namespace, ['kubernetes.io', 'k8s.io'])) return false;
    return !kubelets.has(label) && !isBelow(namespace, ['kubelet.kubernetes.io', 'node.kubernetes.io']);
  };
  const names = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...names].filter((name) => labels[name] !== before[name] && isForbidden(name)).sort();
}
