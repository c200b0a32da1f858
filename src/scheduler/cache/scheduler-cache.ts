import type { Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { countKey, NodeInfo } from '../framework/node-info.ts';
import type { Snapshot } from '../framework/plugin.ts';
import type { PodIdentity, PodInfo } from '../framework/pod-info.ts';
import { NodeTree } from './node-tree.ts';

interface CachedPod {
  readonly info: PodInfo;
  readonly node: string;
  /** Whether the binding is not confirmed by the API yet. */
  readonly isAssumed: boolean;
}

/**
 * Nodes with their pods, and the pods whose binding is in progress. Scheduling cycles are synchronous, so that the cache itself is their
 * snapshot: nothing is copied. Cf. pkg/scheduler/backend/cache.
 */
export class SchedulerCache implements Snapshot {
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #pods = new Map<string, CachedPod>();
  readonly #tree: NodeTree;
  readonly #withAffinity = new Set<NodeInfo>();
  readonly #withRequiredAntiAffinity = new Set<NodeInfo>();
  /** Number of nodes by image. */
  readonly #images = new Map<string, number>();
  /** Number of pods by claim. */
  readonly #claims = new Map<string, number>();
  #list: readonly NodeInfo[] | undefined;

  constructor(product: Pick<Product, 'rename'>) {
    this.#tree = new NodeTree(product);
  }

  list(): readonly NodeInfo[] {
    this.#list ??= this.#tree.names().flatMap((name) => this.#nodes.get(name) ?? []);
    return this.#list;
  }

  get(name: string): NodeInfo | undefined {
    const node = this.#nodes.get(name);
    return node?.exists ? node : undefined;
  }

  withAffinity(): Iterable<NodeInfo> {
    return this.#withAffinity;
  }

  withRequiredAntiAffinity(): Iterable<NodeInfo> {
    return this.#withRequiredAntiAffinity;
  }

  nodesWithImage(name: string): number {
    return this.#images.get(name) ?? 0;
  }

  isClaimUsed(key: string): boolean {
    return (this.#claims.get(key) ?? 0) > 0;
  }

  setNode(node: corev1.Node): void {
    const { name = '' } = node.metadata;
    const info = this.#nodeInfo(name);
    this.#countImages(info, -1);
    info.setNode(node);
    this.#countImages(info, 1);
    if (this.#tree.set(node)) this.#list = undefined;
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (!info) return;
    this.#countImages(info, -1);
    info.removeNode();
    this.#tree.delete(name);
    this.#list = undefined;
    // Pods of the node may be deleted after it.
    if (info.pods.size === 0) this.#nodes.delete(name);
  }

  /** Counts a pod on the node before its binding is confirmed. */
  assume(info: PodInfo, node: string): void {
    this.#set({ info, node, isAssumed: true });
  }

  /** Ends the assumption of a pod whose binding failed. */
  forget({ key, uid }: PodIdentity): void {
    const cached = this.#pods.get(key);
    if (cached?.isAssumed && cached.info.uid === uid) this.removePod(key);
  }

  isAssumed({ key, uid }: PodIdentity): boolean {
    const cached = this.#pods.get(key);
    return cached?.isAssumed === true && cached.info.uid === uid;
  }

  /** Adds or replaces a pod that is bound to a node. */
  setPod(info: PodInfo): void {
    this.#set({ info, node: info.pod.spec.nodeName ?? '', isAssumed: false });
  }

  removePod(key: string): void {
    const cached = this.#pods.get(key);
    if (!cached) return;
    this.#pods.delete(key);
    this.#countClaims(cached.info, -1);
    const node = this.#nodes.get(cached.node);
    if (!node) return;
    node.removePod(key);
    this.#updateSets(node);
    if (node.pods.size === 0 && !node.exists) this.#nodes.delete(cached.node);
  }

  #set(cached: CachedPod): void {
    const { info, node: name } = cached;
    this.removePod(info.key);
    this.#pods.set(info.key, cached);
    this.#countClaims(info, 1);
    const node = this.#nodeInfo(name);
    node.addPod(info);
    this.#updateSets(node);
  }

  #nodeInfo(name: string): NodeInfo {
    const known = this.#nodes.get(name);
    if (known) return known;
    const created = new NodeInfo(name);
    this.#nodes.set(name, created);
    return created;
  }

  #updateSets(node: NodeInfo): void {
    if (node.podsWithAffinity.size > 0) this.#withAffinity.add(node);
    else this.#withAffinity.delete(node);
    if (node.podsWithRequiredAntiAffinity.size > 0) this.#withRequiredAntiAffinity.add(node);
    else this.#withRequiredAntiAffinity.delete(node);
  }

  #countImages({ images }: NodeInfo, change: 1 | -1): void {
    for (const name of images.keys()) countKey(this.#images, name, change);
  }

  #countClaims({ pod, namespace }: PodInfo, change: 1 | -1): void {
    for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
      if (persistentVolumeClaim) countKey(this.#claims, `${namespace}/${persistentVolumeClaim.claimName}`, change);
    }
  }
}
