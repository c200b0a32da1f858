import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type ContainerState, type Exit, isRunning } from './pod-state.ts';
import { isContainerReady, isStarted } from './probes.ts';

/** A container that was expected but is not found. Cf. pkg/kubelet TerminatePod. */
const lost: corev1.ContainerStateTerminated = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
  startedAt: null,
  finishedAt: null,
};

/** The status of a container. Cf. pkg/kubelet convertToAPIContainerStatuses. */
export function containerStatus(container: corev1.Container, state: ContainerState, context: StatusContext): corev1.ContainerStatus {
  const { containerId, current, last } = statesOf(state, context);
  const { resources = {} } = container;
  const user = state.run ? state.run.live?.user : state.exit?.user;
  const mounts = (container.volumeMounts ?? []).map(mountStatus);
  return {
    name: state.name,
    state: current,
    lastState: last,
    ready: isReady(state),
    restartCount: state.restartCount,
    image: containerId === undefined ? (container.image ?? '') : state.image,
    imageID: state.imageId,
    ...(containerId === undefined ? {} : { containerID: containerId }),
    ...(state.role === 'ephemeral' ? {} : { started: isStarted(state) }),
    ...(containerId === undefined ? {} : resourceStatus(resources, isRunning(state) ? context.actual : resources)),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
    ...(user ? { user: { linux: user } } : {}),
  };
}

export interface StatusContext {
  /** Whether the pod has init containers, which run first. */
  readonly hasInits: boolean;
  /** The pod has ended, and the container should have an end. */
  readonly isLost: boolean;
  /** The resources that the container has; those that are allocated may differ during a resize. */
  readonly actual: corev1.ResourceRequirements;
}

/** Resources are those of containers that have been created. */
const resourceStatus = ({ requests = {} }: corev1.ResourceRequirements, resources: corev1.ResourceRequirements): object => ({
  ...(Object.keys(requests).length === 0 ? {} : { allocatedResources: requests }),
  resources,
});

/** Ephemeral containers are never ready. Cf. pkg/kubelet/prober UpdatePodStatus. */
function isReady(state: ContainerState): boolean {
  if (state.role === 'init') return state.exit?.code === 0 && !state.run;
  return state.role !== 'ephemeral' && isContainerReady(state);
}

interface States {
  readonly containerId: string | undefined;
  readonly current: corev1.ContainerState;
  readonly last: corev1.ContainerState;
}

function statesOf({ run, exit, last, waiting }: ContainerState, { hasInits, isLost }: StatusContext): States {
  const before = last ? { terminated: terminated(last) } : {};
  if (run && !run.isStarting) return { containerId: run.id, current: { running: { startedAt: formatTime(run.startedMs) } }, last: before };
  if (exit && waiting) return { containerId: exit.id, current: { waiting }, last: { terminated: terminated(exit) } };
  if (exit) return { containerId: exit.id, current: { terminated: terminated(exit) }, last: before };
  if (isLost) return { containerId: undefined, current: { terminated: lost }, last: before };
  const initial = { reason: hasInits ? 'PodInitializing' : 'ContainerCreating' };
  return { containerId: undefined, current: { waiting: waiting ?? initial }, last: before };
}

const terminated = ({ id, code, reason, message, startedMs, finishedMs }: Exit): corev1.ContainerStateTerminated => ({
  exitCode: code,
  reason,
  ...(message ? { message } : {}),
  startedAt: formatTime(startedMs),
  finishedAt: formatTime(finishedMs),
  containerID: id,
});

/** Every runtime handler of a node supports recursive read-only mounts. Cf. pkg/kubelet resolveRecursiveReadOnly. */
const mountStatus = ({ name, mountPath, readOnly, recursiveReadOnly = 'Disabled' }: corev1.VolumeMount): corev1.VolumeMountStatus => ({
  name,
  mountPath,
  ...(readOnly ? { readOnly, recursiveReadOnly: recursiveReadOnly === 'Disabled' ? 'Disabled' : 'Enabled' } : {}),
});
