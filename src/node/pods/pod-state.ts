import { containerStatusesOf, isSidecar } from '../../component-helpers/index.ts';
import { parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { recordOf, unknownImage } from '../images/image-record.ts';
import { parseImageReference } from '../images/image-reference.ts';
import { processOf } from '../process/container-process.ts';
import type { Process, ProcessExit } from '../process/process.ts';
import type { LiveContainer } from '../runtime/container-runtime.ts';
import { Backoff } from './crash-backoff.ts';
import { createProbes, type ProbeState } from './probe-state.ts';
import type { PendingResize, ResizeInProgress } from './resize.ts';

export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** A process of a container that runs. */
export interface Run {
  readonly id: string;
  readonly startedMs: number;
  readonly process: Process;
  /** The postStart hook is running: until then the container is reported as waiting. */
  isStarting?: boolean;
  /** Why the postStart hook has failed. */
  hookError?: string;
  /** The exit that was caused from outside: by a signal. Times are absolute. */
  killed?: ProcessExit;
  /** The processes, where the image is emulated. */
  live?: LiveContainer;
  /** The preStop hook has failed, which has not been reported yet. */
  hasFailedPreStop?: boolean;
  /** The preStop hook is running, at most until then. */
  hookUntilMs?: number | undefined;
  /** The kubelet ends it to start the container again. */
  isReplaced?: boolean;
}

/** The end of a process. */
export interface Exit {
  readonly id: string;
  readonly code: number;
  readonly reason: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  /** The termination message. */
  readonly message?: string;
  readonly user?: corev1.LinuxContainerUser | undefined;
  /** The kubelet has ended it to start the container again, whatever its restart policy. */
  readonly isReplaced?: boolean | undefined;
}

/** What a node knows of a container. */
export interface ContainerState {
  readonly name: string;
  readonly role: ContainerRole;
  run: Run | undefined;
  /** The end of the latest run. */
  exit: Exit | undefined;
  /** The end of the run before. */
  last: Exit | undefined;
  waiting: corev1.ContainerStateWaiting | undefined;
  /** Why the latest attempt to start it has failed. The next one reports it. */
  startError: corev1.ContainerStateWaiting | undefined;
  restartCount: number;
  /** The reference of the image by its digest. */
  imageId: string;
  /** The image of the latest run. */
  image: string;
  /** The image of the spec. */
  wantedImage: string | undefined;
  crashes: Backoff;
  pulls: Backoff;
  /** The last failed pull. */
  failedPull: { readonly atMs: number; readonly error: string } | undefined;
  /** When the next start is tried. */
  retryMs: number;
  probes: readonly ProbeState[];
}

/** Why a node has ended a pod. The status shows it when no container runs any more. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
  /** Replaces the grace period of the pod. */
  readonly graceSeconds?: number;
  /** Adds the condition DisruptionTarget. */
  readonly isDisruption?: boolean;
}

/** What a node knows of a pod. Times are in milliseconds since 1970. */
export interface PodState {
  readonly startedMs: number;
  /** In the order of the spec: init containers, then containers. */
  readonly containers: ContainerState[];
  /** The pod was refused or ended by the node. */
  failure: PodFailure | undefined;
  /** The node has never accepted the pod. */
  isRejected: boolean;
  mounts: { isDone: boolean; failures: number; nextMs: number };
  /** When the sandbox is ready; undefined: not begun. */
  sandboxMs: number | undefined;
  /** When the creation of the sandbox is tried again. */
  sandboxRetryMs: number;
  /** The sandbox has ended with its node. */
  isSandboxLost: boolean;
  /** Init containers run again in another sandbox, before the containers that ran in the former one. */
  isReinitializing: boolean;
  podIP: string;
  /** The pull in progress. */
  pull: { readonly container: string; readonly startedMs: number; readonly untilMs: number } | undefined;
  /** The postStart hook in progress; `error`: how it will fail. */
  hook: { readonly container: string; readonly untilMs: number; readonly error: string | undefined } | undefined;
  /** The resources of containers by name, which may differ from those of the spec. */
  readonly allocated: Map<string, corev1.ResourceRequirements>;
  /** Resources of the spec that are not allocated. */
  resize: PendingResize | undefined;
  /** Since when they are not. */
  resizePendingMs: number | undefined;
  /** Allocated resources that the containers do not have yet. */
  resizing: ResizeInProgress | undefined;
  /** The pod is being stopped. */
  stopping: { readonly startedMs: number; killMs: number } | undefined;
  /** All containers have ended for good, or were stopped. */
  isFinished: boolean;
  backoffEventMs: Map<string, number>;
}

/** Whether a container runs, as far as its status shows. */
export const isRunning = ({ run }: Pick<ContainerState, 'run'>): boolean => run !== undefined && !run.isStarting;

/** The containers of a pod with their roles, in the order in which they start. */
export function containersOf({ spec }: corev1.Pod): readonly (readonly [corev1.Container, ContainerRole])[] {
  return [
    ...(spec.initContainers ?? []).map((one) => [one, isSidecar(one) ? 'sidecar' : 'init'] as const),
    ...(spec.containers ?? []).map((one) => [one, 'main'] as const),
    ...(spec.ephemeralContainers ?? []).map((one) => [one, 'ephemeral'] as const),
  ];
}

export function createContainerState(container: corev1.Container, role: ContainerRole): ContainerState {
  return {
    name: container.name,
    role,
    run: undefined,
    exit: undefined,
    last: undefined,
    waiting: undefined,
    startError: undefined,
    restartCount: 0,
    imageId: '',
    image: '',
    wantedImage: container.image,
    crashes: new Backoff(),
    pulls: new Backoff(),
    failedPull: undefined,
    retryMs: 0,
    probes: [],
  };
}

/** Whether a regular container has started at any time. */
export function hasBegun({ containers }: PodState): boolean {
  return containers.some(({ role, run, exit }) => role === 'main' && (run !== undefined || exit !== undefined));
}

/** The state of a pod that a node sees first; a pod that ran before a restart of the node continues with its reported containers. */
export function createPodState(pod: corev1.Pod, nowMs: number): PodState {
  const { startTime, podIP = '', reason = '', message = '', phase } = pod.status;
  const statuses = statusesOf(pod);
  // A pod in the network of its node has its address from the beginning.
  const hasRun = podIP !== '' && (!pod.spec.hostNetwork || statuses.some(({ containerID }) => containerID));
  const containers = containersOf(pod).map(([container, role]) => {
    const state = createContainerState(container, role);
    const status = statuses.find(({ name }) => name === container.name);
    if (status) restoreContainer(container, state, status);
    return state;
  });
  return {
    startedMs: startTime ? parseTime(startTime) : nowMs,
    containers,
    failure: phase === 'Failed' && reason !== '' ? { reason, message } : undefined,
    isRejected: false,
    mounts: { isDone: hasRun, failures: 0, nextMs: 0 },
    sandboxMs: hasRun ? nowMs : undefined,
    sandboxRetryMs: 0,
    isSandboxLost: false,
    isReinitializing: false,
    podIP: hasRun ? podIP : '',
    pull: undefined,
    hook: undefined,
    allocated: allocatedOf(pod),
    resize: undefined,
    resizePendingMs: undefined,
    resizing: undefined,
    stopping: undefined,
    isFinished: phase === 'Failed' || phase === 'Succeeded',
    backoffEventMs: new Map(),
  };
}

/** The resources that containers had before a restart of the node. */
function allocatedOf(pod: corev1.Pod): Map<string, corev1.ResourceRequirements> {
  return new Map(containerStatusesOf(pod).flatMap(({ name, resources }) => (resources ? [[name, resources]] : [])));
}

const statusesOf = (pod: corev1.Pod): readonly corev1.ContainerStatus[] => [
  ...containerStatusesOf(pod),
  ...(pod.status.ephemeralContainerStatuses ?? []),
];

function restoreContainer(container: corev1.Container, state: ContainerState, status: corev1.ContainerStatus): void {
  state.restartCount = status.restartCount;
  state.imageId = status.imageID;
  state.image = status.image;
  const { running, terminated } = status.state;
  const before = status.lastState?.terminated;
  if (terminated) state.exit = { ...exitOf(terminated), user: status.user?.linux };
  if (before) state.last = exitOf(before);
  // A container in back-off: its last exit is the one that is waited for.
  if (!running && !terminated && before) state.exit = state.last;
  if (!running?.startedAt) return;
  state.run = { id: status.containerID ?? '', startedMs: parseTime(running.startedAt), process: processOfContainer(container) };
  state.probes = createProbes(container, state.run.startedMs, status.ready, status.started === true);
}

const timeOf = (text: string | null): number => (text === null ? 0 : parseTime(text));

const exitOf = ({ containerID = '', exitCode, reason = '', message, startedAt, finishedAt }: corev1.ContainerStateTerminated): Exit => ({
  id: containerID,
  code: exitCode,
  reason,
  startedMs: timeOf(startedAt),
  finishedMs: timeOf(finishedAt),
  ...(message === undefined ? {} : { message }),
});

/** The simulated process of a container. */
export function processOfContainer(container: corev1.Container): Process {
  const reference = parseImageReference(container.image ?? '');
  return processOf(container, reference ? recordOf(reference.repository) : unknownImage);
}
