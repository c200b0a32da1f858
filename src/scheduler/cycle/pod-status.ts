import type { ApiClient } from '../../client/index.ts';
import type { Clock } from '../../env/index.ts';
import { formatTime, sameJson } from '../../meta/index.ts';
import { type corev1, corev1Pods } from '../../schema/api/index.ts';

export type NewCondition = Pick<corev1.PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * Sets a condition and the nomination in the status of a pod; nothing is written when nothing changes. Cf. updatePod and
 * util.PatchPodStatus.
 */
export async function patchPodStatus(
  { client, clock }: { readonly client: ApiClient; readonly clock: Clock },
  pod: corev1.Pod,
  { condition, nominatedNode }: { readonly condition?: NewCondition; readonly nominatedNode?: string | undefined },
): Promise<void> {
  const { name = '', namespace = '', uid } = pod.metadata;
  const changed = condition && changedCondition(pod, condition, clock);
  const isNominationChanged = nominatedNode !== undefined && nominatedNode !== (pod.status.nominatedNodeName ?? '');
  if (!changed && !isNominationChanged) return;
  const status = {
    ...(changed ? { conditions: [changed] } : {}),
    ...(isNominationChanged ? { nominatedNodeName: nominatedNode === '' ? null : nominatedNode } : {}),
  };
  await client.resource(corev1Pods).patch({ name, namespace }, 'strategic', { metadata: { uid }, status }, { subresource: 'status' });
}

/** Undefined: the condition is as it should be. Cf. podutil.UpdatePodCondition. */
function changedCondition({ metadata, status }: corev1.Pod, condition: NewCondition, clock: Clock): corev1.PodCondition | undefined {
  const old = status.conditions?.find(({ type }) => type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : formatTime(clock.nowMs());
  const { generation } = metadata;
  const changed = {
    ...condition,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastProbeTime: null,
    lastTransitionTime,
  };
  return old && sameJson(old, changed) ? undefined : changed;
}
