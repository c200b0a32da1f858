import { nameOf } from '../../../kubectl/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';

export type Pod = Decoded<corev1.Pod>;

/** A container of a pod, and its state. */
export interface PodContainer {
  readonly name: string;
  readonly kind: 'init' | 'regular' | 'ephemeral';
  readonly isRunning: boolean;
  /** Changes with every start of the container; empty before the first one. */
  readonly instance: string;
  /** Whether a previous instance has ended. */
  readonly hasPrevious: boolean;
  readonly stdin: boolean;
  readonly tty: boolean;
}

const lists = [
  ['containers', 'containerStatuses', 'regular'],
  ['initContainers', 'initContainerStatuses', 'init'],
  ['ephemeralContainers', 'ephemeralContainerStatuses', 'ephemeral'],
] as const;

/** All containers of a pod, in the order of `kubectl logs`: the regular ones first. */
export function containersOf({ spec = {}, status = {} }: Pod): readonly PodContainer[] {
  return lists.flatMap(([list, statuses, kind]) =>
    (spec[list] ?? []).map(({ name = '', stdin = false, tty = false }) => {
      const { state = {}, lastState = {}, containerID = '' } = status[statuses]?.find((one) => one.name === name) ?? {};
      return { name, kind, isRunning: 'running' in state, instance: containerID, hasPrevious: 'terminated' in lastState, stdin, tty };
    }),
  );
}

const defaultContainer = /^kubectl\.(?:kubernetes\.io|svc)\/default-container$/;

/** The container of this name; otherwise the one that kubectl takes by default. */
export function chosenContainer(pod: Pod, name: string): PodContainer | undefined {
  const containers = containersOf(pod);
  const annotations = Object.entries(pod.metadata?.annotations ?? {});
  const annotated = annotations.find(([key]) => defaultContainer.test(key))?.[1];
  return containers.find((one) => one.name === name) ?? containers.find((one) => one.name === annotated) ?? containers[0];
}

/** In the order of their names. */
export function sortedByName(pods: readonly Pod[]): readonly Pod[] {
  return [...pods].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The pod of this name; otherwise the first one that runs, or the first one. */
export function chosenPod(pods: readonly Pod[], name: string): Pod | undefined {
  const byName = sortedByName(pods);
  return byName.find((pod) => nameOf(pod) === name) ?? byName.find(({ status }) => status?.phase === 'Running') ?? byName[0];
}

/** The TCP ports that a pod or a Service declares. */
export function portsOf({ spec = {} }: Pod & Decoded<corev1.Service>): readonly string[] {
  const ofContainers = spec.containers?.flatMap(({ ports = [] }) => ports) ?? [];
  return [
    ...(spec.ports ?? []).filter(isTcp).map(({ port }) => String(port)),
    ...ofContainers.filter(isTcp).map(({ containerPort }) => String(containerPort)),
  ];
}

const isTcp = ({ protocol = 'TCP' }: { readonly protocol?: string | undefined }): boolean => protocol === 'TCP';
