import { nameOf } from '../../../kubectl/index.ts';
import { type JsonObject, objectsAt, recordAt, textAt } from '../../../meta/index.ts';

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
export function containersOf(pod: JsonObject): readonly PodContainer[] {
  const [spec, status] = [recordAt(pod, 'spec'), recordAt(pod, 'status')];
  return lists.flatMap(([list, statuses, kind]) =>
    objectsAt(spec, list).map((container) => {
      const name = textAt(container, 'name');
      const known = objectsAt(status, statuses).find((one) => textAt(one, 'name') === name) ?? {};
      return {
        name,
        kind,
        isRunning: 'running' in recordAt(known, 'state'),
        instance: textAt(known, 'containerID'),
        hasPrevious: 'terminated' in recordAt(known, 'lastState'),
        stdin: container['stdin'] === true,
        tty: container['tty'] === true,
      };
    }),
  );
}

const defaultContainer = /^kubectl\.(?:kubernetes\.io|svc)\/default-container$/;

/** The container of this name; otherwise the one that kubectl takes by default. */
export function chosenContainer(pod: JsonObject, name: string): PodContainer | undefined {
  const containers = containersOf(pod);
  const annotations = Object.entries(recordAt(recordAt(pod, 'metadata'), 'annotations'));
  const annotated = annotations.find(([key]) => defaultContainer.test(key))?.[1];
  return containers.find((one) => one.name === name) ?? containers.find((one) => one.name === annotated) ?? containers[0];
}

/** In the order of their names. */
export function sortedByName(pods: readonly JsonObject[]): readonly JsonObject[] {
  return [...pods].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The pod of this name; otherwise the first one that runs, or the first one. */
export function chosenPod(pods: readonly JsonObject[], name: string): JsonObject | undefined {
  const byName = sortedByName(pods);
  const isRunning = (pod: JsonObject): boolean => recordAt(pod, 'status')['phase'] === 'Running';
  return byName.find((pod) => nameOf(pod) === name) ?? byName.find(isRunning) ?? byName[0];
}

/** The TCP ports that a pod or a Service declares. */
export function portsOf(object: JsonObject): readonly string[] {
  const spec = recordAt(object, 'spec');
  const isTcp = ({ protocol = 'TCP' }: JsonObject): boolean => protocol === 'TCP';
  const ofContainers = objectsAt(spec, 'containers').flatMap((container) => objectsAt(container, 'ports'));
  return [...objectsAt(spec, 'ports'), ...ofContainers].filter(isTcp).map(({ port, containerPort }) => String(port ?? containerPort));
}
