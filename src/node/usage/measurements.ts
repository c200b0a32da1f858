import { containerStatusesOf } from '../../component-helpers/index.ts';
import { formatDuration, formatTime, getOrAdd, type Product, parseTime } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { fractionOf, hash } from '../hash.ts';
import { type ContainerUsage, PodUsage, runningContainers, sumUsage, systemUsage, type Usage } from './pod-usage.ts';

/** How often a metrics server measures. Cf. its flag `--metric-resolution`. */
const resolutionMs = 15_000;

/** The least time between the start of a container and its first measurement. Cf. metrics-server freshContainerMinMetricsResolution. */
const freshMs = 10_000;

/** The measured part of NodeMetrics and PodMetrics. */
export interface Measurement<Value> {
  /** RFC 3339. */
  readonly timestamp: string;
  readonly window: string;
  readonly value: Value;
}

/** A usage as quantities: `{ cpu: '1234567n', memory: '4321Ki' }`. */
export type UsageQuantities = Readonly<Record<'cpu' | 'memory', string>>;

export interface MeasuredObjects {
  readonly nodes: readonly corev1.Node[];
  readonly pods: readonly corev1.Pod[];
  readonly services: readonly corev1.Service[];
}

/** The latest measurements of a metrics server. Nodes that are not ready cannot be measured. */
export class Measurements {
  readonly #objects: MeasuredObjects;
  readonly #product: Pick<Product, 'rename'>;
  readonly #nowMs: number;
  readonly #ready: ReadonlySet<string>;
  /** By time. */
  readonly #usages = new Map<number, PodUsage>();

  constructor(objects: MeasuredObjects, product: Pick<Product, 'rename'>, nowMs: number) {
    this.#objects = objects;
    this.#product = product;
    this.#nowMs = nowMs;
    this.#ready = new Set(objects.nodes.filter(isReady).map(({ metadata }) => metadata.name ?? ''));
  }

  /** Undefined: the node is not ready. */
  ofNode(name: string): Measurement<UsageQuantities> | undefined {
    return this.#ready.has(name) ? measured(name, this.timeOf(name), quantities(this.usageOfNode(name))) : undefined;
  }

  /** Undefined: the pod does not run, or has not run for long enough. */
  ofPod(pod: corev1.Pod): Measurement<readonly { readonly name: string; readonly usage: UsageQuantities }[]> | undefined {
    const node = pod.spec.nodeName ?? '';
    if (!this.#ready.has(node) || runningContainers(pod).length === 0) return undefined;
    const atMs = this.timeOf(node);
    if (startsOf(pod).some((startMs) => startMs > atMs - freshMs)) return undefined;
    const containers = this.usageOfPod(pod).map(({ name, ...usage }) => ({ name, usage: quantities(usage) }));
    return measured(node, atMs, containers);
  }

  /** When a node was measured last: nodes are measured at different times. */
  timeOf(node: string): number {
    const offset = hash(node) % resolutionMs;
    return Math.floor((this.#nowMs - offset) / resolutionMs) * resolutionMs + offset;
  }

  /** What a node used when it was measured last. */
  usageOfNode(name: string): Usage {
    const pods = this.#objects.pods.filter(({ spec }) => spec.nodeName === name).map((pod) => sumUsage(this.usageOfPod(pod)));
    return sumUsage([...pods, this.systemUsageOf(name)]);
  }

  /** What a node used besides its pods. */
  systemUsageOf(name: string): Usage {
    const vary = 0.8 + 0.4 * fractionOf(`${name}/${this.timeOf(name)}`);
    return { cpuMilli: systemUsage.cpuMilli * vary, memoryBytes: systemUsage.memoryBytes * (0.97 + vary / 33) };
  }

  /** What the running containers of a pod used when its node was measured last. */
  usageOfPod(pod: corev1.Pod): readonly ContainerUsage[] {
    return this.#usageAt(this.timeOf(pod.spec.nodeName ?? '')).of(pod);
  }

  #usageAt(atMs: number): PodUsage {
    return getOrAdd(this.#usages, atMs, () => new PodUsage(this.#objects.pods, this.#objects.services, this.#product, atMs));
  }
}

function measured<Value>(node: string, atMs: number, value: Value): Measurement<Value> {
  const windowMs = resolutionMs + Math.round(200 * fractionOf(`${node}/${atMs}/window`)) - 100;
  return { timestamp: formatTime(atMs), window: formatDuration(BigInt(windowMs) * 1_000_000n), value };
}

const isReady = ({ status }: corev1.Node): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True');

/** When the running containers have started. */
const startsOf = (pod: corev1.Pod): readonly number[] =>
  containerStatusesOf(pod).flatMap(({ state: { running } }) => (running?.startedAt ? [parseTime(running.startedAt)] : []));

const quantities = ({ cpuMilli, memoryBytes }: Usage): UsageQuantities => ({
  cpu: cpuMilli < 0.000001 ? '0' : `${Math.round(cpuMilli * 1e6)}n`,
  memory: `${Math.round(memoryBytes / 1024)}Ki`,
});
