import { amountOf } from '../../component-helpers/index.ts';
import type { Labels } from '../../meta/index.ts';
import type { corev1, storagev1 } from '../../schema/api/index.ts';
import { selectorOf, selects } from '../framework/pod-info.ts';

/** Whether a node is in one of the topologies of a class; no terms allow all. Cf. MatchTopologySelectorTerms. */
export function matchesTopologies(terms: readonly corev1.TopologySelectorTerm[] | undefined, labels: Labels): boolean {
  if (!terms || terms.length === 0) return true;
  return terms.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => (values ?? []).includes(labels[key] ?? '') && labels[key] !== undefined),
  );
}

/** The largest size of a volume in bytes; undefined: nothing is known. Cf. volumeLimit. */
export function volumeLimit({ capacity, maximumVolumeSize }: storagev1.CSIStorageCapacity): number | undefined {
  const limit = maximumVolumeSize ?? capacity;
  return limit === undefined ? undefined : amountOf('storage', limit);
}

/** Whether one of the capacities offers the size on the node. Cf. hasEnoughCapacity. */
export function hasCapacity(
  capacities: readonly storagev1.CSIStorageCapacity[],
  { className, size, labels }: { readonly className: string; readonly size: number; readonly labels: Labels },
): boolean {
  return capacities.some((offer) => {
    const { storageClassName, nodeTopology } = offer;
    if (storageClassName !== className || (volumeLimit(offer) ?? Number.NEGATIVE_INFINITY) < size) return false;
    return nodeTopology !== undefined && selects(selectorOf(nodeTopology), labels);
  });
}
