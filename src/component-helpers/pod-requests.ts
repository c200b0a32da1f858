import { parseQuantity, quantityInteger } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import { isPodLevelResource } from '../schema/index.ts';
import { isSidecar } from './sidecars.ts';

/** Amounts by resource name, as in specs. */
export type ResourceList = Readonly<Record<string, string>>;

/** Amounts as numbers: cpu in thousandths, others in units. */
export type Amounts = Map<string, number>;

export function amountOf(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return name === 'cpu' ? Number(text) * 1000 : Number(text);
  return Number(quantityInteger(parseQuantity(text), name === 'cpu' ? -3 : 0));
}

export function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const name in list) amounts.set(name, amountOf(name, list[name] ?? '0'));
  return amounts;
}

/** The requests of a pod: containers, init containers, sidecars, pod level and overhead. Cf. component-helpers/resource PodRequests. */
export function podRequests(pod: corev1.Pod, defaults?: Amounts): Amounts {
  const { containers, initContainers = [], resources, overhead } = pod.spec;
  const running: Amounts = new Map();
  for (const container of containers ?? []) addAmounts(running, containerRequests(container, pod.status.containerStatuses, defaults));
  const sidecars: Amounts = new Map();
  const starting: Amounts = new Map();
  for (const container of initContainers) {
    const requests = containerRequests(container, pod.status.initContainerStatuses, defaults);
    if (isSidecar(container)) {
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
