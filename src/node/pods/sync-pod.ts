import type { corev1 } from '../../schema/api/index.ts';
import type { ProcessExit } from '../process/process.ts';
import { Backoff, backoffEventPeriodMs } from './crash-backoff.ts';
import { type ContainerState, containersOf, createContainerState, hasBegun, type PodState, type Run } from './pod-state.ts';
import { finishHook, hookFailure } from './post-start.ts';
import { isStarted, runProbes } from './probes.ts';
import { delayedSinceMs, isInBackoff, isRestarted } from './restart.ts';
import { startContainer, startProcesses } from './start-container.ts';
import type { PodEnvironment, Step } from './step.ts';
import { killContainer, stopPod } from './stop-pod.ts';

/** How long the sandbox of a pod takes: its namespaces and network. */
const sandboxMs = 250;

/** Delays between attempts to mount. Cf. pkg/util/goroutinemap/exponentialbackoff. */
const mountRetryMs = 500;
const mountRetryMaxMs = 122_000;

/** Advances a pod to the time of the step, as the pod worker of a kubelet. Cf. pkg/kubelet SyncPod, SyncTerminatingPod. */
export function syncPod(pod: PodState, step: Step): void {
  const specs = new Map(containersOf(step.pod).map(([container]) => [container.name, container]));
  followSpec(pod, step);
  resumeRuns(pod, specs, step);
  // What happens at this moment may have consequences at this moment: an exit, then a restart.
  for (let round = 0; round < 10; round++) {
    const before = fingerprint(pod);
    endRuns(pod, specs, step);
    if (pod.isSandboxLost) recreateSandbox(pod, specs, step);
    probe(pod, specs, step);
    if (mustStop(pod, step) || pod.stopping) stop(pod, specs, step);
    else if (!pod.isFinished && prepare(pod, step) && finishHook(pod, specs, step)) start(pod, specs, step);
    if (fingerprint(pod) === before) return;
  }
}

/** The containers of a pod by name. */
type Specs = ReadonlyMap<string, corev1.Container>;

/** Ephemeral containers are added to running pods, and images change. */
function followSpec(pod: PodState, step: Step): void {
  for (const [container, role] of containersOf(step.pod)) {
    const state = pod.containers.find(({ name }) => name === container.name);
    if (!state) pod.containers.push(createContainerState(container, role));
    else if (state.wantedImage !== container.image) changeImage(container, state, pod, step);
  }
}

/** A container with another image has no back-off, and is started again when it runs. Cf. pkg/kubelet/kuberuntime containerChanged, GetBackoffKey. */
function changeImage(container: corev1.Container, state: ContainerState, pod: PodState, step: Step): void {
  state.wantedImage = container.image;
  state.crashes = new Backoff();
  state.pulls = new Backoff();
  state.failedPull = undefined;
  state.retryMs = 0;
  if (pod.pull?.container === state.name) pod.pull = undefined;
  if (state.run && !state.run.killed && state.role !== 'init' && !pod.stopping) replace(container, state, 'definition changed', step);
}

/** Ends a container to start it again. Cf. pkg/kubelet/kuberuntime computePodActions, computeInitContainerActions. */
function replace(container: corev1.Container, state: ContainerState, why: string, step: Step, graceSeconds?: number): void {
  if (state.run) state.run.isReplaced = true;
  const message = state.role === 'sidecar' ? `Init container ${state.name} ${why}` : `Container ${state.name} ${why}, will be restarted`;
  killContainer(container, state, message, step, graceSeconds);
}

/** Starts the processes of containers that ran before a restart of the node's program. */
function resumeRuns(pod: PodState, specs: Specs, step: Step): void {
  for (const state of pod.containers) {
    const container = specs.get(state.name);
    if (!container || !state.run || state.run.live || pod.isFinished) continue;
    const live = startProcesses(container, state, state.run.id, pod, step);
    if (live && 'kill' in live) state.run.live = live;
  }
}

function fingerprint({ containers, stopping, pull, hook, isFinished }: PodState): string {
  const states = containers.map(({ run, exit, restartCount, waiting, probes }) => [
    run?.id,
    run?.killed?.atMs,
    exit?.id,
    restartCount,
    waiting?.reason,
    probes.map(({ result }) => result),
  ]);
  return JSON.stringify([states, stopping, pull, hook, isFinished]);
}

/** Records the processes that have ended. */
function endRuns({ containers }: PodState, specs: Specs, step: Step): void {
  for (const state of containers) {
    const { run } = state;
    if (!run) continue;
    const exit = exitOf(run);
    if (run.hasFailedPreStop) step.event('Warning', 'FailedPreStopHook', 'PreStopHook failed', state);
    run.hasFailedPreStop = false;
    endHook(run, step);
    if (!exit) continue;
    if (exit.atMs > step.nowMs) {
      step.wakeAt(exit.atMs);
      continue;
    }
    run.live?.kill();
    const { code, reason = code === 0 ? 'Completed' : 'Error' } = exit;
    const message = run.live?.exit?.message ?? '';
    const { id, startedMs, isReplaced, live } = run;
    state.exit = {
      id,
      code,
      reason,
      startedMs,
      finishedMs: exit.atMs,
      isReplaced,
      user: live?.user,
      ...(message === '' ? {} : { message }),
    };
    state.run = undefined;
    state.probes = [];
    state.waiting = hookFailure(specs.get(state.name), state, run.hookError, step);
  }
}

/** SIGTERM follows a preStop hook that has not ended in the grace period. */
function endHook(run: Run, step: Step): void {
  if (run.hookUntilMs === undefined) return;
  step.wakeAt(run.hookUntilMs);
  if (step.nowMs < run.hookUntilMs) return;
  run.hookUntilMs = undefined;
  run.live?.terminate();
}

/** The first of the ends of a process: its own, or one from outside. */
function exitOf({ process, live, killed, startedMs }: Run): ProcessExit | undefined {
  const own = live ? live.exit : process.exit && { ...process.exit, atMs: startedMs + process.exit.atMs };
  return [own, killed].filter((exit) => exit !== undefined).sort((a, b) => a.atMs - b.atMs)[0];
}

/**
 * A sandbox that has ended with its node is created again, with init containers first, when a container is to be started.
 * Cf. pkg/kubelet/kuberuntime computePodActions, SyncPod.
 */
function recreateSandbox(pod: PodState, specs: Specs, step: Step): void {
  pod.isSandboxLost = false;
  const mustStart = pod.containers.some((state) => state.role !== 'ephemeral' && !isOver(state, specs, step));
  const isNeverRestarted = step.pod.spec.restartPolicy === 'Never' && pod.containers.some(({ exit }) => exit !== undefined);
  if (pod.sandboxMs === undefined || pod.isFinished || mustStop(pod, step) || isNeverRestarted || !mustStart) return;
  step.event('Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
  step.env.recreateSandbox();
  Object.assign(pod, { sandboxMs: undefined, podIP: '', pull: undefined, hook: undefined, isReinitializing: hasBegun(pod) });
  for (const state of pod.containers) if (state.role === 'init' && state.exit) state.exit = { ...state.exit, isReplaced: true };
}

function probe(pod: PodState, specs: Specs, step: Step): void {
  for (const state of pod.containers) {
    const container = specs.get(state.name);
    const failed = container && runProbes(container, state, pod.podIP, pod.stopping !== undefined, step);
    if (!failed || !state.run) continue;
    const restarts = (container.restartPolicy ?? step.pod.spec.restartPolicy) !== 'Never';
    const why = `failed ${failed.kind} probe`;
    const { terminationGracePeriodSeconds } = failed.probe;
    if (restarts) replace(container, state, why, step, terminationGracePeriodSeconds);
    else killContainer(container, state, `Container ${state.name} ${why}`, step, terminationGracePeriodSeconds);
  }
}

/** Whether the pod was deleted, has failed as a whole, or has run for longer than its deadline. */
function mustStop(pod: PodState, step: Step): boolean {
  const { activeDeadlineSeconds } = step.pod.spec;
  if (activeDeadlineSeconds !== undefined && !pod.failure && !pod.isFinished) {
    const deadlineMs = pod.startedMs + activeDeadlineSeconds * 1000;
    step.wakeAt(deadlineMs);
    if (step.nowMs >= deadlineMs) {
      const message = 'Pod was active on the node longer than the specified deadline';
      pod.failure = { reason: 'DeadlineExceeded', message };
      step.event('Normal', 'DeadlineExceeded', message);
    }
  }
  return step.pod.metadata.deletionTimestamp !== undefined || pod.failure !== undefined;
}

function stop(pod: PodState, specs: Specs, step: Step): void {
  const { metadata, spec } = step.pod;
  const { failure } = pod;
  const graceSeconds = failure?.graceSeconds ?? metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
  pod.pull = undefined;
  pod.hook = undefined;
  for (const { run } of pod.containers) if (run?.isStarting) run.isStarting = false;
  stopPod(specs, pod, graceSeconds, step);
  if (pod.containers.some(({ run }) => run !== undefined)) return;
  pod.isFinished = true;
  for (const state of pod.containers) state.waiting = undefined;
}

/** Whether volumes and sandbox are ready. */
function prepare(pod: PodState, step: Step): boolean {
  if (!pod.mounts.isDone && !mount(pod, step)) return false;
  if (pod.sandboxMs === undefined) {
    if (step.nowMs < pod.sandboxRetryMs) {
      step.wakeAt(pod.sandboxRetryMs);
      return false;
    }
    step.reportPullSecrets();
    const error = sandboxError(step.env);
    if (error !== undefined) {
      step.event('Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${error}`);
      pod.sandboxRetryMs = step.nowMs + backoffEventPeriodMs;
      step.wakeAt(pod.sandboxRetryMs);
      return false;
    }
    pod.sandboxMs = step.nowMs + sandboxMs;
  }
  if (step.nowMs < pod.sandboxMs) {
    step.wakeAt(pod.sandboxMs);
    return false;
  }
  if (pod.podIP === '') pod.podIP = step.pod.spec.hostNetwork ? step.env.hostIP : step.env.allocateAddress();
  return true;
}

/** Why the container runtime cannot create a sandbox; undefined: it can. Cf. pkg/kubelet/kuberuntime createPodSandbox, RunPodSandbox of containerd. */
function sandboxError({ runtimeHandler, runtimeClassError, runtimeHandlers, newId }: PodEnvironment): string | undefined {
  if (runtimeClassError !== undefined || runtimeHandler === '' || runtimeHandlers.includes(runtimeHandler)) return runtimeClassError;
  const cause = `no runtime for ${JSON.stringify(runtimeHandler)} is configured`;
  return `rpc error: code = Unknown desc = unable to get OCI runtime for sandbox "${newId()}": ${cause}`;
}

function mount({ mounts }: PodState, step: Step): boolean {
  if (step.nowMs >= mounts.nextMs) {
    mounts.isDone = step.env.mountErrors.length === 0;
    for (const message of step.env.mountErrors) step.event('Warning', 'FailedMount', message);
    mounts.nextMs = step.nowMs + Math.min(mountRetryMs * 2 ** mounts.failures++, mountRetryMaxMs);
  }
  if (!mounts.isDone) step.wakeAt(mounts.nextMs);
  return mounts.isDone;
}

/** Starts what may start: ephemeral containers, then init containers one after the other, then all containers. Cf. computePodActions. */
function start(pod: PodState, specs: Specs, step: Step): void {
  const begin = (state: ContainerState): void => {
    const container = specs.get(state.name);
    if (!container || state.run || isOver(state, specs, step)) return;
    if (pod.hook || isInBackoff(state, pod.backoffEventMs, step)) return;
    const sinceMs = delayedSinceMs(state);
    const { restartCount } = state;
    startContainer(container, state, pod, step);
    if (sinceMs !== undefined && state.restartCount > restartCount) state.crashes.next(sinceMs, step.nowMs);
  };
  for (const state of pod.containers) if (state.role === 'ephemeral') begin(state);
  if (!initialize(pod, specs, begin, step)) return;
  const mains = pod.containers.filter(({ role }) => role === 'main');
  for (const state of mains) begin(state);
  // The pod has ended: its sidecars are stopped.
  if (mains.every((state) => isOver(state, specs, step))) stop(pod, specs, step);
}

/** Whether a container has ended and is not restarted. */
function isOver(state: ContainerState, specs: Specs, step: Step): boolean {
  const container = specs.get(state.name);
  return state.run === undefined && state.exit !== undefined && container !== undefined && !isRestarted(step.pod, container, state);
}

/** Whether all init containers have succeeded and all sidecars have started. */
function initialize(pod: PodState, specs: Specs, begin: (state: ContainerState) => void, step: Step): boolean {
  const isBegun = hasBegun(pod) && !pod.isReinitializing;
  for (const state of pod.containers) {
    if (state.role === 'sidecar') {
      begin(state);
      if (!isBegun && !isStarted(state)) return false;
    }
    if (state.role !== 'init' || isBegun || (state.exit?.code === 0 && !state.exit.isReplaced)) continue;
    begin(state);
    if (isOver(state, specs, step)) stop(pod, specs, step);
    return false;
  }
  pod.isReinitializing = false;
  return true;
}
