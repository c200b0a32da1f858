import { allAddresses, amountsOf, type HostPort } from '../../component-helpers/index.ts';
import type { Labels } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { PodInfo } from './pod-info.ts';
import { addResources, copyResources, newResources, type Resources, resourcesOf } from './resources.ts';

/** A node with its pods and the sums over them. Cf. pkg/scheduler/framework NodeInfo. */
export class NodeInfo {
  #node: corev1.Node | undefined;
  readonly name: string;
  readonly pods: Map<string, PodInfo>;
  readonly podsWithAffinity: Set<PodInfo>;
  readonly podsWithRequiredAntiAffinity: Set<PodInfo>;
  readonly requested: Resources;
  readonly nonZeroRequested: Resources;
  allocatable: Resources = newResources();
  /** Number of pods by host port: `protocol/ip/port`. */
  readonly #ports: Map<string, number>;
  /** Sizes of images by name. */
  images: ReadonlyMap<string, number> = new Map();

  constructor(name: string, from?: NodeInfo) {
    this.name = name;
    this.pods = new Map(from?.pods);
    this.podsWithAffinity = new Set(from?.podsWithAffinity);
    this.podsWithRequiredAntiAffinity = new Set(from?.podsWithRequiredAntiAffinity);
    this.requested = from ? copyResources(from.requested) : newResources();
    this.nonZeroRequested = from ? copyResources(from.nonZeroRequested) : newResources();
    this.#ports = new Map(from ? from.#ports : []);
    if (!from) return;
    this.#node = from.#node;
    this.allocatable = from.allocatable;
    this.images = from.images;
  }

  /** Whether the node exists; pods may be known before their node. */
  get exists(): boolean {
    return this.#node !== undefined;
  }

  /** @throws Error when the node does not exist */
  get node(): corev1.Node {
    if (!this.#node) throw new Error(`node ${this.name} does not exist`);
    return this.#node;
  }

  get labels(): Labels {
    return this.#node?.metadata.labels ?? noLabels;
  }

  setNode(node: corev1.Node): void {
    this.#node = node;
    this.allocatable = resourcesOf(amountsOf(node.status.allocatable));
    this.images = new Map(
      (node.status.images ?? []).flatMap(({ names, sizeBytes = 0 }) => (names ?? []).map((name) => [name, sizeBytes] as const)),
    );
  }

  removeNode(): void {
    this.#node = undefined;
    this.allocatable = newResources();
    this.images = new Map();
  }

  /** A copy for a simulation. */
  clone(): NodeInfo {
    return new NodeInfo(this.name, this);
  }

  addPod(pod: PodInfo): void {
    this.removePod(pod.key);
    this.pods.set(pod.key, pod);
    if (pod.hasAffinity) this.podsWithAffinity.add(pod);
    if (pod.requiredAntiAffinity.length > 0) this.podsWithRequiredAntiAffinity.add(pod);
    this.#count(pod, 1);
  }

  removePod(key: string): PodInfo | undefined {
    const pod = this.pods.get(key);
    if (!pod) return undefined;
    this.pods.delete(key);
    this.podsWithAffinity.delete(pod);
    this.podsWithRequiredAntiAffinity.delete(pod);
    this.#count(pod, -1);
    return pod;
  }

  /** Whether a pod on the node uses a port: an address conflicts with itself and with all addresses. Cf. HostPortInfo.CheckConflict. */
  usesPort({ protocol, ip, port }: HostPort): boolean {
    if (this.#ports.size === 0) return false;
    if (ip !== allAddresses) return this.#ports.has(`${protocol}/${allAddresses}/${port}`) || this.#ports.has(`${protocol}/${ip}/${port}`);
    for (const used of this.#ports.keys()) if (used.startsWith(`${protocol}/`) && used.endsWith(`/${port}`)) return true;
    return false;
  }

  #count(pod: PodInfo, sign: 1 | -1): void {
    addResources(this.requested, pod.requests, sign);
    addResources(this.nonZeroRequested, pod.nonZero, sign);
    for (const { protocol, ip, port } of pod.hostPorts) countKey(this.#ports, `${protocol}/${ip}/${port}`, sign);
  }
}

const noLabels: Labels = {};

/** Counts up or down; keys with none are removed. */
export function countKey(counts: Map<string, number>, key: string, sign: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + sign;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
