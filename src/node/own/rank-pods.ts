import { amountOf, podRequests, toleratesTaint } from '../../component-helpers/index.ts';
import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type ContainerUsage, logsBytes, rootfsBytes, sumUsage, type Usage } from '../usage/pod-usage.ts';
import { binaryQuantity } from './binary-quantity.ts';
import { isMirrorPod } from './mirror-pods.ts';
import type { Signal } from './node-pressure.ts';

/** A pod that may be evicted, with the usage of its containers. */
export interface Candidate {
  readonly pod: corev1.Pod;
  readonly usages: readonly ContainerUsage[];
}

/** Pods of this priority and above are never evicted. Cf. scheduling.SystemCriticalPriority. */
const criticalPriority = 2_000_000_000;

/** Cf. pkg/kubelet/types IsCriticalPod. */
export const isCritical = (pod: corev1.Pod, product: Pick<Product, 'rename'>): boolean =>
  isMirrorPod(pod, product) || (pod.spec.priority ?? 0) >= criticalPriority;

/**
 * The order in which pods are evicted: those that use more than they request first, then by priority, then by the usage above the requests.
 * Cf. pkg/kubelet/eviction rankMemoryPressure, rankDiskPressureFunc, rankPIDPressure.
 */
export function rankPods(candidates: readonly Candidate[], { resource }: Signal): readonly Candidate[] {
  const ranked = candidates.map((candidate) => {
    const excess = excessOf(candidate, resource);
    return { candidate, exceeds: excess > 0 ? 0 : 1, priority: candidate.pod.spec.priority ?? 0, excess };
  });
  return ranked.sort((a, b) => a.exceeds - b.exceeds || a.priority - b.priority || b.excess - a.excess).map(({ candidate }) => candidate);
}

function excessOf({ pod, usages }: Candidate, resource: string): number {
  return usages.reduce((sum, usage) => sum + usedBytes(usage, resource), 0) - (podRequests(pod).get(resource) ?? 0);
}

/** The usage of processes is not simulated. */
function usedBytes({ memoryBytes }: Usage, resource: string): number {
  if (resource === 'memory') return memoryBytes;
  return resource === 'pids' ? 0 : rootfsBytes + logsBytes;
}

export interface ThresholdMet {
  readonly quantity: number;
  readonly available: number;
}

export interface EvictionReport {
  readonly message: string;
  /** Of the event. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The message of an eviction, and the annotations of its event. Cf. pkg/kubelet/eviction evictionMessage. */
export function evictionReport({ pod, usages }: Candidate, { resource }: Signal, { quantity, available }: ThresholdMet): EvictionReport {
  let message = `The node was low on resource: ${resource}. Threshold quantity: ${binaryQuantity(quantity)}, available: ${binaryQuantity(available)}. `;
  const offending: Record<string, string> = {};
  const podRequest = resource === 'memory' ? pod.spec.resources?.requests?.[resource] : undefined;
  if (podRequest !== undefined) {
    const { name = '' } = pod.metadata;
    const used = shownBytes(sumUsage(usages), resource);
    message += `Pod ${name} was using ${used}, request is ${podRequest}, has larger consumption of ${resource}. `;
    Object.assign(offending, { offending_pod: name, offending_pod_usage: used });
  }
  const containers: (readonly [name: string, used: string])[] = [];
  for (const { name, ...usage } of usages) {
    const container = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])].find((one) => one.name === name);
    const request = container?.resources?.requests?.[resource] ?? '0';
    const used = shownBytes(usage, resource);
    if (amountOf(resource, used) <= amountOf(resource, request)) continue;
    message += `Container ${name} was using ${used}, request is ${request}, has larger consumption of ${resource}. `;
    containers.push([name, used]);
  }
  const annotations = {
    ...offending,
    offending_containers: containers.map(([name]) => name).join(','),
    offending_containers_usage: containers.map(([, used]) => used).join(','),
    starved_resource: resource,
  };
  return { message, annotations };
}

/** Usage is measured in pages; the text is in KiB at least. */
const shownBytes = (usage: Usage, resource: string): string => binaryQuantity(Math.round(usedBytes(usage, resource) / 1024) * 1024);

/** Why a node with pressure refuses a pod; undefined: it accepts it. Cf. pkg/kubelet/eviction Admit. */
export function pressureRejection(
  pod: corev1.Pod,
  pressures: readonly string[],
  product: Pick<Product, 'rename'>,
): { readonly reason: string; readonly message: string } | undefined {
  if (pressures.length === 0 || isCritical(pod, product)) return undefined;
  if (pressures.length === 1 && pressures[0] === 'MemoryPressure') {
    if (pod.status.qosClass !== 'BestEffort') return undefined;
    const taint = { key: product.rename('node.kubernetes.io/memory-pressure'), effect: 'NoSchedule' };
    if (pod.spec.tolerations?.some((toleration) => toleratesTaint(toleration, taint))) return undefined;
  }
  return { reason: 'Evicted', message: `The node had condition: [${pressures.join(' ')}]. ` };
}
