import type { corev1 } from '../../schema/api/index.ts';
import { execDuration, execStatus } from '../process/script.ts';
import type { HookFailure, LiveContainer } from '../runtime/container-runtime.ts';
import type { ContainerState, PodState, Run } from './pod-state.ts';
import { isRestarted } from './restart.ts';
import type { Step } from './step.ts';
import { killContainer } from './stop-pod.ts';

/** Begins the postStart hook of a container that has just started. Cf. pkg/kubelet/kuberuntime startContainer. */
export function beginHook(container: corev1.Container, state: ContainerState, pod: PodState, step: Step): void {
  const hook = container.lifecycle?.postStart;
  if (!hook || !state.run) return;
  state.run.isStarting = true;
  if (state.run.live) {
    runHook(hook, container, state.run.live, pod, step);
    return;
  }
  const { ms, error } = outcomeOf(hook, container, state.run, step);
  pod.hook = { container: state.name, untilMs: step.nowMs + ms, error };
}

/** The hook ends when its command or request does. */
function runHook(hook: corev1.LifecycleHandler, container: corev1.Container, live: LiveContainer, pod: PodState, step: Step): void {
  const running = { container: container.name, untilMs: Number.POSITIVE_INFINITY, error: undefined };
  pod.hook = running;
  const finish = (failure: HookFailure | undefined): void => {
    if (pod.hook !== running) return;
    const error = failure && hookErrorOf(hook, container, failure, step);
    pod.hook = { container: container.name, untilMs: step.nowMs, error };
    step.env.wake();
  };
  void live.runHook(hook).then(finish, (error: unknown) => finish({ message: String(error) }));
}

/** Cf. pkg/kubelet/lifecycle handlerRunner. */
function hookErrorOf(
  { exec, httpGet }: corev1.LifecycleHandler,
  { name }: corev1.Container,
  { message, output = '' }: HookFailure,
  { formattedPod }: Step,
): string {
  const what = exec ? `Exec lifecycle hook ([${(exec.command ?? []).join(' ')}])` : `HTTP lifecycle hook (${httpGet?.path})`;
  const error = `for Container ${JSON.stringify(name)} in Pod ${JSON.stringify(formattedPod)} failed - error: ${message}`;
  return `${what} ${error}${exec ? `, message: ${JSON.stringify(output)}` : ''}`;
}

/** Whether no postStart hook is in progress: the kubelet starts no other container meanwhile. */
export function finishHook(pod: PodState, specs: ReadonlyMap<string, corev1.Container>, step: Step): boolean {
  const { hook } = pod;
  if (!hook) return true;
  const state = pod.containers.find(({ name }) => name === hook.container);
  const { run } = state ?? {};
  if (state && run && step.nowMs < hook.untilMs) {
    step.wakeAt(hook.untilMs);
    return false;
  }
  pod.hook = undefined;
  const container = specs.get(hook.container);
  if (!state || !run || !container) return true;
  run.isStarting = false;
  if (hook.error === undefined) return true;
  step.event('Warning', 'FailedPostStartHook', 'PostStartHook failed', state);
  run.hookError = hook.error;
  killContainer(container, state, 'FailedPostStartHook', step);
  return true;
}

/** The waiting state of a container that was stopped because of its hook; undefined: it is not started again. */
export function hookFailure(
  container: corev1.Container | undefined,
  state: ContainerState,
  error: string | undefined,
  step: Step,
): corev1.ContainerStateWaiting | undefined {
  if (error === undefined || !container || !isRestarted(step.pod, container, state)) return undefined;
  return { reason: 'PostStartHookError', message: error };
}

interface Outcome {
  readonly ms: number;
  readonly error: string | undefined;
}

/** Requests of HTTP hooks succeed where probes would. Cf. pkg/kubelet/lifecycle handlerRunner. */
function outcomeOf(hook: corev1.LifecycleHandler, container: corev1.Container, { process }: Run, step: Step): Outcome {
  if (hook.sleep) return { ms: hook.sleep.seconds * 1000, error: undefined };
  if (!hook.exec) return { ms: 0, error: undefined };
  const command = hook.exec.command ?? [];
  const ms = execDuration(command) ?? Number.POSITIVE_INFINITY;
  const code = execStatus(command, process.files, 0);
  if (code === 0) return { ms, error: undefined };
  return { ms, error: hookErrorOf(hook, container, { message: `command '${command.join(' ')}' exited with ${code}: ` }, step) };
}
