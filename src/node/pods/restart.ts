import type { corev1 } from '../../schema/api/index.ts';
import { backoffEventPeriodMs } from './crash-backoff.ts';
import { formatMs } from './format-ms.ts';
import type { ContainerState } from './pod-state.ts';
import type { Step } from './step.ts';

/** Whether a container that has ended is started again. Cf. pkg/kubelet/container ShouldContainerBeRestarted. */
export function isRestarted(pod: corev1.Pod, container: corev1.Container, { role, exit }: ContainerState): boolean {
  if (!exit) return false;
  if (role === 'sidecar' || exit.isReplaced) return true;
  if (role === 'ephemeral') return false;
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    const isListed = exitCodes?.values?.includes(exit.code) ?? false;
    if (action === 'Restart' && isListed === (exitCodes?.operator !== 'NotIn')) return true;
  }
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  if (policy === 'Never' || (policy === 'OnFailure' && exit.code === 0)) return false;
  return role === 'main' || exit.code !== 0;
}

/**
 * The end since which a restart is delayed. A container that the kubelet replaces has not ended when it decides: the end before counts.
 * Cf. pkg/kubelet/kuberuntime doBackOff.
 */
export const delayedSinceMs = ({ exit, last }: ContainerState): number | undefined => (exit?.isReplaced ? last : exit)?.finishedMs;

/** Whether the restart of a container has to wait. Cf. pkg/kubelet/kuberuntime doBackOff. */
export function isInBackoff(state: ContainerState, lastEventMs: Map<string, number>, step: Step): boolean {
  const { exit, name } = state;
  const sinceMs = delayedSinceMs(state);
  const dueMs = sinceMs === undefined ? undefined : state.crashes.dueMs(sinceMs);
  if (dueMs === undefined || step.nowMs >= dueMs) {
    lastEventMs.delete(name);
    return false;
  }
  if (exit?.isReplaced) {
    state.exit = { ...exit, isReplaced: false };
    return isInBackoff(state, lastEventMs, step);
  }
  const eventMs = lastEventMs.get(name);
  const isDue = step.nowMs >= (eventMs ?? Number.NEGATIVE_INFINITY) + backoffEventPeriodMs;
  // The status shows the outcome of the synchronization before; the first restart is followed by another one at once.
  if ((isDue && eventMs !== undefined) || state.restartCount === 1) {
    const message = `back-off ${formatMs(state.crashes.delayMs)} restarting failed container=${name} pod=${step.formattedPod}`;
    state.waiting = { reason: 'CrashLoopBackOff', message };
  }
  if (isDue) {
    step.event('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${step.formattedPod}`, state);
    lastEventMs.set(name, step.nowMs);
  }
  step.wakeAt(dueMs);
  step.wakeAt((isDue ? step.nowMs : (eventMs ?? 0)) + backoffEventPeriodMs);
  return true;
}
