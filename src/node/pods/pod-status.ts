import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { containerStatus } from './container-status.ts';
import { type Facts, podConditions } from './pod-conditions.ts';
import { type ContainerRole, type ContainerState, containersOf, hasBegun, isRunning, type PodState } from './pod-state.ts';
import { isStarted } from './probes.ts';
import { isRestarted } from './restart.ts';

/** The status that a kubelet reports. Cf. pkg/kubelet generateAPIPodStatus. */
export function podStatus(pod: corev1.Pod, state: PodState, hostIP: string, nowMs: number): Partial<corev1.PodStatus> {
  const phase = phaseOf(pod, state);
  const failure = isFailed(state) ? state.failure : undefined;
  const ended = failure && { reason: failure.reason, message: failure.message };
  const { generation } = pod.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  if (state.isRejected) return { ...observed, phase, ...ended, startTime: formatTime(state.startedMs) };
  const hasInits = (pod.spec.initContainers ?? []).length > 0;
  const isBegun = hasBegun(state);
  const lost = lostContainers(state);
  const statuses = (...roles: readonly ContainerRole[]): readonly corev1.ContainerStatus[] =>
    containersOf(pod).flatMap(([container, role]) => {
      const known = state.containers.find(({ name }) => name === container.name);
      const resources = state.allocated.get(container.name) ?? container.resources ?? {};
      const actual = state.resizing?.former.get(container.name)?.resources ?? resources;
      const isLost = lost.has(container.name);
      return known && roles.includes(role) ? [containerStatus({ ...container, resources }, known, { hasInits, isLost, actual })] : [];
    });
  const inits = statuses('init', 'sidecar');
  const debuggers = statuses('ephemeral');
  const containerStatuses = [...statuses('main')].sort((a, b) => (a.name < b.name ? -1 : 1));
  const podIP = pod.spec.hostNetwork ? hostIP : state.podIP;
  const address = podIP === '' ? {} : { podIP, podIPs: [{ ip: podIP }] };
  return {
    ...observed,
    phase,
    conditions: podConditions(
      pod,
      {
        phase,
        inits,
        containers: containerStatuses,
        hasSandbox: state.podIP !== '' && !state.isFinished,
        hasBegun: isBegun,
        further: furtherConditions(state),
      },
      nowMs,
    ),
    ...ended,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...address,
    startTime: formatTime(state.startedMs),
    ...(inits.length > 0 ? { initContainerStatuses: inits } : {}),
    containerStatuses,
    ...(debuggers.length > 0 ? { ephemeralContainerStatuses: debuggers } : {}),
  };
}

/** The containers of a pod that has ended which should have an end. Cf. pkg/kubelet/status TerminatePod. */
function lostContainers({ containers, isFinished }: PodState): ReadonlySet<string> {
  if (!isFinished) return new Set();
  const hasStarted = ({ run, exit }: ContainerState): boolean => run !== undefined || exit !== undefined;
  const inits = containers.filter(({ role }) => role === 'init' || role === 'sidecar');
  const mains = containers.filter(({ role }) => role === 'main');
  const last = inits.at(-1);
  const isInitialized = !last || mains.some(hasStarted) || (last.role === 'init' ? last.exit?.code === 0 : hasStarted(last));
  const expected = [...inits.slice(0, Math.max(inits.findLastIndex(hasStarted), 0) + 1), ...(isInitialized ? mains : [])];
  return new Set(expected.map(({ name }) => name));
}

/** Conditions that are present while they are true, before the others. Cf. pkg/kubelet generateAPIPodStatus. */
function furtherConditions(state: PodState): Facts['further'] {
  const { failure, resize, resizing } = state;
  const message = failure?.message ?? '';
  return [
    ...(resize ? [['PodResizePending', { status: 'True', ...resize }] as const] : []),
    ...(resizing ? [['PodResizeInProgress', { status: 'True', observedGeneration: resizing.generation }] as const] : []),
    ...(failure?.isDisruption && isFailed(state)
      ? [['DisruptionTarget', { status: 'True', reason: 'TerminationByKubelet', message }] as const]
      : []),
  ];
}

/** The node has ended the pod, and no container runs any more. Cf. pkg/kubelet/status mergePodStatus. */
const isFailed = ({ failure, containers }: PodState): boolean => failure !== undefined && !containers.some(({ run }) => run !== undefined);

/** Cf. pkg/kubelet getPhase. */
function phaseOf(pod: corev1.Pod, state: PodState): string {
  if (isFailed(state)) return 'Failed';
  const mains = state.containers.filter(({ role }) => role === 'main');
  const inits = state.containers.filter(({ role }) => role === 'init');
  if (state.isFinished) return [...mains, ...inits].every(({ exit }) => exit?.code === 0) ? 'Succeeded' : 'Failed';
  const sidecars = state.containers.filter(({ role }) => role === 'sidecar');
  if (!hasBegun(state) && (inits.some(({ exit, run }) => run !== undefined || exit?.code !== 0) || !sidecars.every(isStarted)))
    return 'Pending';
  if (mains.some((main) => !isRunning(main) && !main.exit)) return 'Pending';
  if (mains.some(isRunning)) return 'Running';
  const specs = new Map((pod.spec.containers ?? []).map((container) => [container.name, container]));
  const restarts = mains.some((main) => {
    const container = specs.get(main.name);
    return container !== undefined && isRestarted(pod, container, main);
  });
  // Sidecars still run, though all other containers have ended.
  if (restarts || sidecars.some(({ run }) => run !== undefined)) return 'Running';
  return mains.every(({ exit }) => exit?.code === 0) ? 'Succeeded' : 'Failed';
}
