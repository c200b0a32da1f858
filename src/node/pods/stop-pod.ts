import type { corev1 } from '../../schema/api/index.ts';
import { execDuration } from '../process/script.ts';
import type { LiveContainer } from '../runtime/container-runtime.ts';
import type { ContainerState, PodState, Run } from './pod-state.ts';
import type { PodEnvironment, Step } from './step.ts';

/** Exit code of a process that SIGKILL ends. */
const killedCode = 137;

/** The least time between SIGTERM and SIGKILL. Cf. pkg/kubelet/kuberuntime minimumGracePeriodInSeconds. */
const minimumGraceMs = 2_000;

/** Sends SIGTERM to a container after its preStop hook, and SIGKILL when the grace period ends. */
function stopContainer(container: corev1.Container | undefined, run: Run, { nowMs, env }: Step, killMs: number): void {
  if (run.live) {
    stopProcesses(container, run, run.live, { killMs, leastMs: nowMs + minimumGraceMs }, env);
    return;
  }
  const hookMs = Math.min(preStopMs(container), Math.max(0, killMs - nowMs));
  const termMs = nowMs + hookMs;
  const lastMs = Math.max(killMs, termMs + minimumGraceMs);
  const { onTerm } = run.process;
  const termExit = onTerm ? { ...onTerm, atMs: termMs + onTerm.atMs } : undefined;
  run.killed = termExit && termExit.atMs <= lastMs ? termExit : { atMs: lastMs, code: killedCode, reason: 'Error' };
}

/** Stops the container of a pod that continues; `graceSeconds` replaces the grace period of the pod. */
export function killContainer(
  container: corev1.Container,
  state: ContainerState,
  message: string,
  step: Step,
  graceSeconds?: number,
): void {
  if (!state.run) return;
  step.event('Normal', 'Killing', message, state);
  const { terminationGracePeriodSeconds = 30 } = step.pod.spec;
  stopContainer(container, state.run, step, step.nowMs + (graceSeconds ?? terminationGracePeriodSeconds) * 1000);
}

interface KillTimes {
  /** When the grace period ends. */
  readonly killMs: number;
  /** The earliest time of SIGKILL. */
  readonly leastMs: number;
}

/** The preStop hook runs before SIGTERM, at most for the grace period. */
function stopProcesses(
  container: corev1.Container | undefined,
  run: Run,
  live: LiveContainer,
  { killMs, leastMs }: KillTimes,
  { wake }: Pick<PodEnvironment, 'wake'>,
): void {
  const isStopping = run.killed !== undefined;
  const kill = (atMs: number): void => {
    run.killed = { atMs, code: killedCode, reason: 'Error' };
  };
  kill(Math.max(killMs, leastMs));
  const hook = container?.lifecycle?.preStop;
  if (isStopping && run.hookUntilMs === undefined) return;
  if (!hook) {
    live.terminate();
    return;
  }
  run.hookUntilMs = killMs;
  kill(Math.max(killMs + minimumGraceMs, leastMs));
  if (isStopping) return;
  const finish = (hasFailed: boolean): void => {
    run.hasFailedPreStop = hasFailed;
    if (run.hookUntilMs !== undefined) {
      kill(Math.max(run.hookUntilMs, leastMs));
      run.hookUntilMs = undefined;
      live.terminate();
    }
    wake();
  };
  void live.runHook(hook).then(
    (failure) => finish(failure !== undefined),
    () => finish(true),
  );
}

function preStopMs(container: corev1.Container | undefined): number {
  const hook = container?.lifecycle?.preStop;
  if (hook?.sleep) return hook.sleep.seconds * 1000;
  if (hook?.exec) return execDuration(hook.exec.command ?? []) ?? Number.POSITIVE_INFINITY;
  return 0;
}

/** Begins to stop a pod, or shortens its grace period. Sidecars are stopped when the other containers have ended. */
export function stopPod(containers: ReadonlyMap<string, corev1.Container>, pod: PodState, graceSeconds: number, step: Step): void {
  const { nowMs } = step;
  pod.stopping ??= { startedMs: nowMs, killMs: Number.POSITIVE_INFINITY };
  const { stopping } = pod;
  const killMs = Math.min(stopping.killMs, stopping.startedMs + graceSeconds * 1000);
  const isShorter = killMs < stopping.killMs;
  stopping.killMs = killMs;
  const stop = (state: ContainerState): void => {
    if (!state.run || (state.run.killed && !isShorter)) return;
    if (!state.run.killed) step.event('Normal', 'Killing', `Stopping container ${state.name}`, state);
    stopContainer(containers.get(state.name), state.run, step, Math.max(killMs, nowMs));
  };
  for (const state of pod.containers) if (state.role !== 'sidecar') stop(state);
  const othersRun = pod.containers.some(({ role, run }) => role !== 'sidecar' && run !== undefined);
  // In reverse order: a sidecar may serve those after it.
  const sidecar = pod.containers.filter(({ role, run }) => role === 'sidecar' && run !== undefined).at(-1);
  if (!othersRun && sidecar) stop(sidecar);
}
