import { amountOf, containerStatusesOf } from '../../component-helpers/index.ts';
import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { fractionOf } from '../hash.ts';
import { recordOf, unknownImage } from '../images/image-record.ts';
import { parseImageReference } from '../images/image-reference.ts';
import { wordsOf } from '../process/container-process.ts';
import { idleUsage } from './idle-usage.ts';
import { loadOf, type ProcessLoad } from './process-load.ts';

/** CPU in thousandths, memory in bytes. */
export interface Usage {
  readonly cpuMilli: number;
  readonly memoryBytes: number;
}

export interface ContainerUsage extends Usage {
  readonly name: string;
}

/** What a node uses besides its pods: system, kubelet and container runtime. */
export const systemUsage: Usage = { cpuMilli: 60, memoryBytes: 480 * 1024 * 1024 };

/** Files of the writable layer and of the logs of each container. */
export const rootfsBytes: number = 40 * 1024;
export const logsBytes: number = 8 * 1024;

/** The CPU time of one request, in thousandths of a second. */
const requestCost = 10;

/** How much a value varies from one time to the next. */
const variation = 0.15;

const mega = 1024 * 1024;

/**
 * The usage of the running containers of pods at a time: that of their images and commands, or of the annotations
 * `kwok.x-k8s.io/usage-cpu` and `kwok.x-k8s.io/usage-memory` of the pod; at most their limits. Requests of clients to a Service are
 * divided among its ready pods. Equal pods at equal times have equal usage.
 */
export class PodUsage {
  readonly #product: Pick<Product, 'rename'>;
  readonly #atMs: number;
  /** CPU by UID of the pod, for requests of other pods. */
  readonly #served: ReadonlyMap<string, number>;

  constructor(pods: readonly corev1.Pod[], services: readonly corev1.Service[], product: Pick<Product, 'rename'>, atMs: number) {
    this.#product = product;
    this.#atMs = atMs;
    this.#served = servedLoad(pods, services);
  }

  /** The usage of the containers that run. */
  of(pod: corev1.Pod): readonly ContainerUsage[] {
    const running = runningContainers(pod);
    const { uid = '', annotations = {} } = pod.metadata;
    const cpu = annotations[this.#product.rename('kwok.x-k8s.io/usage-cpu')];
    const memory = annotations[this.#product.rename('kwok.x-k8s.io/usage-memory')];
    const isServing = new Set((pod.spec.containers ?? []).map(({ name }) => name));
    const served = (this.#served.get(uid) ?? 0) / Math.max(1, running.filter(({ name }) => isServing.has(name)).length);
    return running.map((container) => {
      const { name } = container;
      const [idleCpu, idleMi] = idleUsage(imageOf(container));
      const load = loadOfContainer(container);
      const own = idleCpu + load.cpuMilli + (load.requests ? load.requests.perSecond : 0) + (isServing.has(name) ? served : 0);
      const seed = `${uid}/${name}`;
      return {
        name,
        cpuMilli: cpu === undefined ? limited(own * this.#vary(`${seed}/cpu`), 'cpu', container) : quantity('cpu', cpu),
        memoryBytes:
          memory === undefined
            ? limited(idleMi * mega * this.#vary(`${seed}/memory`) + load.memoryBytes, 'memory', container)
            : quantity('memory', memory),
      };
    });
  }

  #vary(seed: string): number {
    return 1 - variation + 2 * variation * fractionOf(`${seed}/${this.#atMs}`);
  }
}

export const sumUsage = (usages: readonly Usage[]): Usage => ({
  cpuMilli: usages.reduce((sum, { cpuMilli }) => sum + cpuMilli, 0),
  memoryBytes: usages.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
});

/** Users write the annotations: what is no quantity counts as nothing. */
function quantity(resource: string, text: string): number {
  try {
    return amountOf(resource, text);
  } catch {
    return 0;
  }
}

function limited(amount: number, resource: string, { resources }: corev1.Container): number {
  const limit = resources?.limits?.[resource];
  return limit === undefined ? amount : Math.min(amount, amountOf(resource, limit));
}

/** The containers that run, sidecars first. */
export function runningContainers(pod: corev1.Pod): readonly corev1.Container[] {
  const { spec } = pod;
  const running = new Set(
    containerStatusesOf(pod)
      .filter(({ state }) => state.running !== undefined)
      .map(({ name }) => name),
  );
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(({ name }) => running.has(name));
}

function imageOf({ image = '' }: corev1.Container): typeof unknownImage {
  const reference = parseImageReference(image);
  return reference ? recordOf(reference.repository) : unknownImage;
}

const loadOfContainer = (container: corev1.Container): ProcessLoad => loadOf(wordsOf(container, imageOf(container)));

/** Divides the requests of all clients among the ready pods of the services that they call. */
function servedLoad(pods: readonly corev1.Pod[], services: readonly corev1.Service[]): ReadonlyMap<string, number> {
  const byService = new Map<string, number>();
  for (const pod of pods) {
    for (const container of runningContainers(pod)) {
      const { requests } = loadOfContainer(container);
      if (!requests) continue;
      const [name = '', namespace = pod.metadata.namespace ?? ''] = requests.host.split('.');
      const key = `${namespace}/${name}`;
      byService.set(key, (byService.get(key) ?? 0) + requests.perSecond * requestCost);
    }
  }
  const served = new Map<string, number>();
  for (const { metadata, spec } of byService.size === 0 ? [] : services) {
    const load = byService.get(`${metadata.namespace}/${metadata.name}`);
    const selector = Object.entries(spec.selector ?? {});
    if (load === undefined || selector.length === 0) continue;
    const targets = pods.filter(
      (pod) =>
        pod.metadata.namespace === metadata.namespace &&
        selector.every(([key, value]) => pod.metadata.labels?.[key] === value) &&
        pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
    );
    for (const {
      metadata: { uid = '' },
    } of targets)
      served.set(uid, (served.get(uid) ?? 0) + load / targets.length);
  }
  return served;
}
