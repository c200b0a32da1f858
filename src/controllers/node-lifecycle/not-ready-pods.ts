import { type EventRecorder, hasStatus, type ResourceClient } from '../../client/index.ts';
import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodReady } from '../pods/index.ts';

interface NotReadyOptions {
  readonly pods: ResourceClient<corev1.Pod>;
  readonly recorder: EventRecorder;
  readonly nowMs: number;
}

/** Sets the Ready condition of the pods of an unreachable node to False. Cf. pkg/controller/util/node MarkPodsNotReady. @throws ApiError */
export async function markPodsNotReady(all: readonly corev1.Pod[], { pods, recorder, nowMs }: NotReadyOptions): Promise<void> {
  const failures: unknown[] = [];
  for (const pod of all.filter(isPodReady)) {
    const lastTransitionTime = formatTime(nowMs);
    const conditions = (pod.status.conditions ?? []).map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime } : condition,
    );
    try {
      await pods.updateStatus({ ...pod, status: { ...pod.status, conditions } });
    } catch (error) {
      if (hasStatus(error, 404)) continue;
      failures.push(error);
    }
    recorder.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
  }
  if (failures.length > 0) throw failures[0];
}
