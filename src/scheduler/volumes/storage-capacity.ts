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

/** Whether one of the capacities offers the size on the node. Cf. hasEnoughCapacity. */
export function hasCapacity(
  capacities: readonly storagev1.CSIStorageCapacity[],
  { className, size, labels }: { readonly className: string; readonly size: number; readonly labels: Labels },
): boolean {
  return capacities.some(({ storageClassName, nodeTopology, capacity, maximumVolumeSize }) => {
    const limit = maximumVolumeSize ?? capacity;
    if (storageClassName !== className || limit === undefined || amountOf('storage', limit) < size) return false;
    return nodeTopology !== undefined && selects(selectorOf(nodeTopology), labels);
  });
}
