import { runningContainersOf } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { isPodReady, podCondition } from '../pods/index.ts';
import { milli, type PodMetrics } from './metrics-client.ts';

/** Time after the start in which the usage of CPU counts only while the pod is ready. */
const cpuInitializationMs = 300_000;
/** A pod that became unready within this time after its start was never ready. */
const initialReadinessMs = 30_000;

export interface PodGroups {
  readonly readyCount: number;
  readonly unready: readonly string[];
  /** Without metrics. */
  readonly missing: readonly string[];
  /** The metrics of the ready pods. */
  readonly metrics: ReadonlyMap<string, number>;
}

/** Cf. pkg/controller/podautoscaler/replica_calculator.go groupPods. */
export function groupPods(pods: readonly corev1.Pod[], metrics: PodMetrics, resource: string, nowMs: number): PodGroups {
  const values = new Map([...metrics].map(([name, { value }]) => [name, value]));
  const [unready, missing]: [string[], string[]] = [[], []];
  let readyCount = 0;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined || pod.status.phase === 'Failed') values.delete(name);
    else if (pod.status.phase !== 'Pending' && !metrics.has(name)) missing.push(name);
    else if (pod.status.phase === 'Pending' || (resource === 'cpu' && isCpuIgnored(pod, metrics, nowMs))) {
      unready.push(name);
      values.delete(name);
    } else readyCount += 1;
  }
  return { readyCount, unready, missing, metrics: values };
}

function isCpuIgnored(pod: corev1.Pod, metrics: PodMetrics, nowMs: number): boolean {
  const ready = podCondition(pod, 'Ready');
  const { startTime } = pod.status;
  const metric = metrics.get(pod.metadata.name ?? '');
  if (!ready || !startTime || !metric) return true;
  const [startMs, changedMs] = [Date.parse(startTime), Date.parse(ready.lastTransitionTime ?? '1970-01-01T00:00:00Z')];
  const isUnready = ready.status === 'False';
  if (startMs + cpuInitializationMs > nowMs) return isUnready || metric.atMs < changedMs + metric.windowMs;
  return isUnready && startMs + initialReadinessMs > changedMs;
}

/** Cf. getReadyPodsCount. @throws Error without pods */
export function countReadyPods(pods: readonly corev1.Pod[]): number {
  if (pods.length === 0) throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  return pods.filter((pod) => pod.status.phase === 'Running' && isPodReady(pod)).length;
}

/** The requests of a resource by pod, in thousandths. Cf. calculateRequests. @throws Error when one is missing */
export function requestsOf(pods: readonly corev1.Pod[], container: string, resource: string): ReadonlyMap<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, container, resource)]));
}

function requestOf({ metadata, spec }: corev1.Pod, container: string, resource: string): number {
  const containers = runningContainersOf(spec).filter(({ name }) => container === '' || name === container);
  const podRequests = spec.resources?.requests ?? {};
  if (container === '' && Object.keys(podRequests).length > 0) {
    const requests = containers.flatMap(({ resources }) => resources?.requests?.[resource] ?? []);
    const own = podRequests[resource];
    if (own === undefined && requests.length === 0) throw new Error(`missing pod-level request for ${resource} in Pod ${metadata.name}`);
    return own === undefined ? requests.reduce((sum, request) => sum + milli(request), 0) : milli(own);
  }
  let total = 0;
  for (const { name, resources } of containers) {
    const request = resources?.requests?.[resource];
    if (request === undefined) throw new Error(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
    total += milli(request);
  }
  return total;
}
