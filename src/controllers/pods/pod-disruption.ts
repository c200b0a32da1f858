import type { ResourceClient } from '../../client/index.ts';
import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { podCondition } from './pod-state.ts';

/** Why a pod is deleted by the control plane. */
export interface Disruption {
  readonly reason: string;
  readonly message: string;
}

/** Patches the status of a pod that is about to be deleted: its DisruptionTarget condition, and its phase. @throws ApiError */
export async function patchDisruption(
  pod: corev1.Pod,
  { disruption, phase }: { readonly disruption?: Disruption; readonly phase?: string },
  pods: ResourceClient<corev1.Pod>,
  nowMs: number,
): Promise<void> {
  const { name = '', namespace = '', uid, generation } = pod.metadata;
  const condition = disruption && disruptionCondition(pod, disruption, nowMs);
  if (!condition && phase === undefined) return;
  const status = {
    ...(condition ? { conditions: [condition] } : {}),
    ...(phase === undefined ? {} : { phase, observedGeneration: generation }),
  };
  await pods.patch({ name, namespace }, 'strategic', { metadata: { uid }, status }, { subresource: 'status' });
}

/** Undefined when the pod has the condition. Cf. UpdatePodCondition. */
function disruptionCondition(pod: corev1.Pod, disruption: Disruption, nowMs: number): Partial<corev1.PodCondition> | undefined {
  const current = podCondition(pod, 'DisruptionTarget');
  const { generation } = pod.metadata;
  const isTrue = current?.status === 'True';
  const isSame = isTrue && current.reason === disruption.reason && current.message === disruption.message;
  if (isSame) return undefined;
  const lastTransitionTime = isTrue && current.lastTransitionTime ? current.lastTransitionTime : formatTime(nowMs);
  const observedGeneration = generation === undefined ? {} : { observedGeneration: generation };
  return { type: 'DisruptionTarget', status: 'True', ...disruption, lastTransitionTime, ...observedGeneration };
}
