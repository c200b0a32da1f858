import { type Amounts, podRequests } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

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

/** The requests for scores: containers without requests of cpu or memory count as small. */
export function nonZeroRequests(pod: corev1.Pod): Amounts {
  const podLevel = pod.spec.resources?.requests ?? {};
  const missing = new Map([...nonMissing].filter(([name]) => !Object.hasOwn(podLevel, name)));
  return podRequests(pod, missing);
}
