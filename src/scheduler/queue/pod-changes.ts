import { type Amounts, podRequests } from '../../component-helpers/index.ts';
import { sameJson } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { actions, type ClusterEvent } from '../framework/cluster-events.ts';

type PodResource = 'AssignedPod' | 'UnscheduledPod';

/** The changes of a pod that matter for scheduling. Cf. pkg/scheduler/framework PodSchedulingPropertiesChange. */
export function podChanges(current: corev1.Pod, old: corev1.Pod, resource: PodResource): readonly ClusterEvent[] {
  const changes = Object.entries(detectors).filter(([, isChanged]) => isChanged(current, old));
  if (changes.length === 0) return [{ resource, action: actions.updateOther }];
  return changes.map(([name]) => ({ resource, action: actions[name as keyof typeof detectors] }));
}

const detectors = {
  updatePodLabel: (current: corev1.Pod, old: corev1.Pod) => !sameJson(current.metadata.labels ?? {}, old.metadata.labels ?? {}),
  updatePodScaleDown: (current: corev1.Pod, old: corev1.Pod) => isScaledDown(podRequests(current), podRequests(old)),
  updatePodToleration: (current: corev1.Pod, old: corev1.Pod) => !sameJson(current.spec.tolerations ?? [], old.spec.tolerations ?? []),
  updatePodSchedulingGatesEliminated: (current: corev1.Pod, old: corev1.Pod) =>
    (current.spec.schedulingGates ?? []).length === 0 && (old.spec.schedulingGates ?? []).length > 0,
  updatePodGeneratedResourceClaim: (current: corev1.Pod, old: corev1.Pod) =>
    !sameJson(current.status.resourceClaimStatuses ?? [], old.status.resourceClaimStatuses ?? []),
};

function isScaledDown(current: Amounts, old: Amounts): boolean {
  for (const [name, amount] of old) if ((current.get(name) ?? 0) < amount) return true;
  return false;
}
