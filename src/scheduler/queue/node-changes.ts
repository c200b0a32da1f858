import { sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { actions, type ClusterEvent } from '../framework/cluster-events.ts';

const detectors = {
  updateNodeAllocatable: (node: corev1.Node) => node.status.allocatable ?? {},
  updateNodeLabel: (node: corev1.Node) => node.metadata.labels ?? {},
  updateNodeTaint: (node: corev1.Node) => [node.spec.taints ?? [], node.spec.unschedulable ?? false],
  updateNodeCondition: (node: corev1.Node) => (node.status.conditions ?? []).map(({ type, status }) => [type, status]),
  updateNodeAnnotation: (node: corev1.Node) => node.metadata.annotations ?? {},
} as const;

/** The changes of a node that matter for scheduling. Cf. pkg/scheduler/framework NodeSchedulingPropertiesChange. */
export function nodeChanges(node: corev1.Node, old: corev1.Node): readonly ClusterEvent[] {
  return Object.entries(detectors)
    .filter(([, partOf]) => !sameJson(partOf(node), partOf(old)))
    .map(([name]) => ({ resource: 'Node', action: actions[name as keyof typeof detectors] }));
}
