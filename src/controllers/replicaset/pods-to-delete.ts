import type { corev1 } from '../../schema/api/index.ts';
import { byRankedDeletionOrder, isPodActive } from '../pods/index.ts';

export interface Surplus {
  readonly count: number;
  /** The pods of all ReplicaSets of the same owner. */
  readonly relatedPods: readonly corev1.Pod[];
  readonly nowMs: number;
  readonly costAnnotation: string;
}

/** The pods to delete first: of nodes with many related pods, so that the others stay spread. Cf. replica_set.go getPodsToDelete. */
export function podsToDelete(pods: readonly corev1.Pod[], { count, relatedPods, nowMs, costAnnotation }: Surplus): readonly corev1.Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const { spec } of relatedPods.filter(isPodActive)) {
    const node = spec.nodeName ?? '';
    onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  const rankOf = ({ spec }: corev1.Pod): number => onNode.get(spec.nodeName ?? '') ?? 0;
  return [...pods].sort(byRankedDeletionOrder({ rankOf, nowMs, costAnnotation })).slice(0, count);
}
