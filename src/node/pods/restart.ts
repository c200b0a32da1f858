import type { corev1 } from '../../schema/api/index.ts';
import { backoffEventPeriodMs } from './crash-backoff.ts';
import { formatMs } from './format-ms.ts';
import type { ContainerRole, ContainerState } from './pod-state.ts';
import type { Step } from './step.ts';

/** Whether a container is started again after its exit. Cf. pkg/kubelet/container ShouldContainerBeRestarted. */
export function isRestarted(pod: corev1.Pod, container: corev1.Container, role: ContainerRole, exitCode: number): boolean {
  if (role === 'sidecar') return true;
  if (role === 'ephemeral') return false;
  for (const { action, exitCodes } of container.restartPolicyRules ?? []) {
    const isListed = exitCodes?.values?.includes(exitCode) ?? false;
    if (action === 'Restart' && isListed === (exitCodes?.operator !== 'NotIn')) return true;
  }
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  if (policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)) return false;
  return role === 'main' || exitCode !== 0;
}

/** Whether the restart of a container has to wait. Cf. pkg/kubelet/kuberuntime doBackOff. */
export function isInBackoff(state: ContainerState, lastEventMs: Map<string, number>, step: Step): boolean {
  const { exit, name } = state;
  if (!exit) return false;
  const dueMs = state.crashes.dueMs(exit.finishedMs);
  if (dueMs === undefined || step.nowMs >= dueMs) {
    lastEventMs.delete(name);
    return false;
  }
  const delay = formatMs(state.crashes.delayMs);
  state.waiting = { reason: 'CrashLoopBackOff', message: `back-off ${delay} restarting failed container=${name} pod=${step.formattedPod}` };
  const eventDueMs = (lastEventMs.get(name) ?? Number.NEGATIVE_INFINITY) + backoffEventPeriodMs;
  if (step.nowMs >= eventDueMs) {
    step.event('Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${step.formattedPod}`, state);
    lastEventMs.set(name, step.nowMs);
  }
  step.wakeAt(dueMs);
  step.wakeAt((lastEventMs.get(name) ?? step.nowMs) + backoffEventPeriodMs);
  return true;
}
