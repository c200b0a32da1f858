import { parseQuantity, quantityInteger } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

/** Amounts by resource name, as in specs. */
export type ResourceList = Readonly<Record<string, string>>;

/** Amounts as numbers: cpu in thousandths, others in units. */
export type Amounts = Map<string, number>;

/** Sums of resources. Cf. pkg/scheduler/framework Resource. */
export interface Resources {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  pods: number;
  /** Extended resources, huge pages and others by name. */
  readonly scalars: Map<string, number>;
}

export const newResources = (): Resources => ({ milliCpu: 0, memory: 0, ephemeralStorage: 0, pods: 0, scalars: new Map() });

export function amountOf(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return name === 'cpu' ? Number(text) * 1000 : Number(text);
  return Number(quantityInteger(parseQuantity(text), name === 'cpu' ? -3 : 0));
}

export function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const name in list) amounts.set(name, amountOf(name, list[name] ?? '0'));
  return amounts;
}

export function resourcesOf(amounts: Amounts): Resources {
  const resources = newResources();
  for (const [name, amount] of amounts) {
    if (name === 'cpu') resources.milliCpu = amount;
    else if (name === 'memory') resources.memory = amount;
    else if (name === 'ephemeral-storage') resources.ephemeralStorage = amount;
    else if (name === 'pods') resources.pods = amount;
    else resources.scalars.set(name, amount);
  }
  return resources;
}

/** Adds `sign` times the amounts to a sum. */
export function addResources(sum: Resources, added: Resources, sign: 1 | -1): void {
  sum.milliCpu += sign * added.milliCpu;
  sum.memory += sign * added.memory;
  sum.ephemeralStorage += sign * added.ephemeralStorage;
  for (const [name, amount] of added.scalars) sum.scalars.set(name, (sum.scalars.get(name) ?? 0) + sign * amount);
}

export function copyResources(resources: Resources): Resources {
  return { ...resources, scalars: new Map(resources.scalars) };
}

export function amountIn(resources: Resources, name: string): number {
  if (name === 'cpu') return resources.milliCpu;
  if (name === 'memory') return resources.memory;
  if (name === 'ephemeral-storage') return resources.ephemeralStorage;
  return resources.scalars.get(name) ?? 0;
}

/** Requests of containers without any, for scores only. Cf. pkg/scheduler/util DefaultMilliCPURequest, DefaultMemoryRequest. */
const nonMissing: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
]);

/** The requests of a pod: containers, init containers, sidecars, pod level and overhead. Cf. component-helpers/resource PodRequests. */
export function podRequests(pod: corev1.Pod, defaults?: Amounts): Amounts {
  const { containers, initContainers = [], resources, overhead } = pod.spec;
  const running: Amounts = new Map();
  for (const container of containers ?? []) addAmounts(running, containerRequests(container, pod.status.containerStatuses, defaults));
  const sidecars: Amounts = new Map();
  const starting: Amounts = new Map();
  for (const container of initContainers) {
    const requests = containerRequests(container, pod.status.initContainerStatuses, defaults);
    if (container.restartPolicy === 'Always') {
      addAmounts(running, requests);
      addAmounts(sidecars, requests);
      raiseAmounts(starting, sidecars);
    } else {
      addAmounts(requests, sidecars);
      raiseAmounts(starting, requests);
    }
  }
  raiseAmounts(running, starting);
  for (const name in resources?.requests) {
    if (isPodLevelResource(name)) running.set(name, amountOf(name, resources?.requests[name] ?? '0'));
  }
  addAmounts(running, amountsOf(overhead));
  return running;
}

/** The requests for scores: containers without requests of cpu or memory count as small. */
export function nonZeroRequests(pod: corev1.Pod): Amounts {
  const podLevel = pod.spec.resources?.requests ?? {};
  const missing = new Map([...nonMissing].filter(([name]) => !Object.hasOwn(podLevel, name)));
  return podRequests(pod, missing);
}

function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** During a resize in place the larger of wanted and actual requests counts. Cf. determineContainerReqs. */
function containerRequests(
  { name, resources }: corev1.Container,
  statuses: readonly corev1.ContainerStatus[] | undefined,
  defaults: Amounts | undefined,
): Amounts {
  const requests = amountsOf(resources?.requests);
  const status = statuses?.find((one) => one.name === name);
  if (status?.resources?.requests) raiseAmounts(requests, amountsOf(status.resources.requests));
  if (status?.allocatedResources) raiseAmounts(requests, amountsOf(status.allocatedResources));
  if (defaults) for (const [resource, amount] of defaults) if (!requests.has(resource)) requests.set(resource, amount);
  return requests;
}

function addAmounts(sum: Amounts, added: Amounts): void {
  for (const [name, amount] of added) sum.set(name, (sum.get(name) ?? 0) + amount);
}

function raiseAmounts(to: Amounts, least: Amounts): void {
  for (const [name, amount] of least) if ((to.get(name) ?? 0) < amount || !to.has(name)) to.set(name, amount);
}
