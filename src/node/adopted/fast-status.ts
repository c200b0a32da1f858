import { formatTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { conditionsOf } from '../own/node-object.ts';

/** The statuses that kwok 0.7 writes with its stages `fast`. Cf. kwok kustomize/stage/{node,pod}/fast. */

/** The address of adopted nodes, as kwok's default. */
const adoptedAddress = '10.0.0.1';

const [memory, disk, pid, ready] = conditionsOf(['Ready']);
const conditions = [
  ready,
  { type: 'OutOfDisk', status: 'False', reason: 'KubeletHasSufficientDisk', message: 'kubelet has sufficient disk space available' },
  memory,
  disk,
  { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated', message: 'RouteController created a route' },
  pid,
].flatMap((condition) => condition ?? []);

/** Capacity of a node without one. */
const capacity = { cpu: '1k', memory: '1Ti', pods: '1M' };

/** The status of a node that is not ready yet; undefined when nothing changes. */
export function fastNodeStatus({ metadata, status }: corev1.Node, nowMs: number, version: string): Partial<corev1.NodeStatus> | undefined {
  if (status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True')) return undefined;
  const now = formatTime(nowMs);
  const { capacity: givenCapacity = {}, allocatable = {} } = status;
  return {
    phase: 'Running',
    addresses: [
      { type: 'InternalIP', address: adoptedAddress },
      { type: 'Hostname', address: metadata.name ?? '' },
    ],
    conditions: conditions.map((condition) => ({ ...condition, lastHeartbeatTime: now, lastTransitionTime: now })),
    ...(isEmpty(givenCapacity) ? { capacity: isEmpty(allocatable) ? capacity : allocatable } : {}),
    ...(isEmpty(allocatable) ? { allocatable: isEmpty(givenCapacity) ? capacity : givenCapacity } : {}),
    nodeInfo: {
      architecture: 'amd64',
      bootID: '',
      containerRuntimeVersion: version,
      kernelVersion: version,
      kubeProxyVersion: version,
      kubeletVersion: version,
      machineID: '',
      operatingSystem: 'linux',
      osImage: '',
      systemUUID: '',
      ...givenOf(status.nodeInfo),
    },
  };
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const givenOf = (info: object = {}): object => Object.fromEntries(Object.entries(info).filter(([, value]) => value !== ''));

/** The status of a pod that has not started yet: all containers are running. */
export function runningStatus({ spec }: corev1.Pod, podIP: string, nowMs: number): Partial<corev1.PodStatus> {
  const now = formatTime(nowMs);
  const types = ['Initialized', 'Ready', 'ContainersReady', ...(spec.readinessGates ?? []).map(({ conditionType }) => conditionType)];
  return {
    phase: 'Running',
    startTime: now,
    hostIP: adoptedAddress,
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: now })) as corev1.PodCondition[],
    containerStatuses: (spec.containers ?? []).map((container) => containerStatus(container, true, { running: { startedAt: now } })),
    ...(spec.initContainers ? { initContainerStatuses: spec.initContainers.map((container) => initStatus(container, now)) } : {}),
  };
}

/** The status of a pod of a Job, which ends at once. */
export function succeededStatus({ spec }: corev1.Pod, nowMs: number): Partial<corev1.PodStatus> {
  const state = completed(formatTime(nowMs));
  return {
    phase: 'Succeeded',
    containerStatuses: (spec.containers ?? []).map((container) => ({ ...containerStatus(container, false, state), started: false })),
  };
}

function initStatus(container: corev1.Container, now: string): corev1.ContainerStatus {
  if (container.restartPolicy !== 'Always') return containerStatus(container, true, completed(now));
  return { ...containerStatus(container, true, { running: { startedAt: now } }), started: true };
}

const completed = (now: string): corev1.ContainerState => ({
  terminated: { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now },
});

const containerStatus = ({ name, image = '' }: corev1.Container, ready: boolean, state: corev1.ContainerState): corev1.ContainerStatus => ({
  name,
  image,
  imageID: '',
  ready,
  restartCount: 0,
  state,
  lastState: {},
});
