import { type EventRecorder, hasStatus } from '../../client/index.ts';
import { type corev1, corev1Nodes } from '../../schema/api/index.ts';
import type { NodeContext } from '../node-context.ts';
import { patchNodeStatus } from '../node-writes.ts';
import { isPodRange, PodAddresses } from '../pod-addresses.ts';
import type { NodeConfig } from './node-config.ts';
import { NodeImages } from './node-images.ts';
import { kubeletLabels, nodeAddress, nodeStatus, podRangeOf } from './node-object.ts';

/** A simulated node with a kubelet: its registration and status. */
export class OwnNode {
  readonly name: string;
  readonly images: NodeImages = new NodeImages();
  readonly recorder: EventRecorder;
  /** InternalIP. */
  readonly address: string;
  readonly #config: NodeConfig;
  readonly #context: NodeContext;
  readonly #ownRange: string;
  #isRegistered = false;
  #addresses: PodAddresses | undefined;
  #isUnschedulable = false;

  constructor(config: NodeConfig, index: number, context: NodeContext, recorder: EventRecorder) {
    this.name = config.name;
    this.address = nodeAddress(index);
    this.#config = config;
    this.#context = context;
    this.recorder = recorder;
    this.#ownRange = podRangeOf(index);
  }

  /** Addresses of the pods: of the range that the node has when its first pod starts. */
  get addresses(): PodAddresses {
    const range = this.#context.nodes.store.get(this.name)?.spec.podCIDR ?? '';
    this.#addresses ??= new PodAddresses(isPodRange(range) ? range : this.#ownRange);
    return this.#addresses;
  }

  /** Whether the node has been created. A node that is deleted afterwards is not registered again. */
  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  /** Records changes of the node that a kubelet reports by events. */
  observe(node: corev1.Node): void {
    const isUnschedulable = node.spec.unschedulable === true;
    if (this.#isRegistered && isUnschedulable !== this.#isUnschedulable) {
      this.#event(node, isUnschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
    }
    this.#isUnschedulable = isUnschedulable;
  }

  async register(): Promise<void> {
    const { product, clients } = this.#context;
    const nodes = clients.of(this.name).resource(corev1Nodes);
    const { labels, annotations, taints = [] } = this.#config;
    const own = { ...kubeletLabels(this.name), ...labels };
    const renamed = Object.fromEntries(Object.entries(own).map(([name, value]) => [product.rename(name), value]));
    let node: corev1.Node;
    try {
      const metadata = { name: this.name, labels: renamed, ...(annotations ? { annotations } : {}) };
      node = await nodes.create({ metadata, spec: taints.length > 0 ? { taints } : {}, status: this.#status(undefined) });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      node = await nodes.get({ name: this.name });
      this.images.restore(node.status.images ?? []);
      await nodes.patch({ name: this.name }, 'strategic', { status: this.#status(node.status) }, { subresource: 'status' });
    }
    this.#isRegistered = true;
    this.#isUnschedulable = node.spec.unschedulable === true;
    this.#record(node, 'Starting', 'Starting kubelet.');
    for (const reason of ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID']) this.#event(node, reason);
    this.#record(node, 'NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods');
    this.#event(node, 'NodeReady');
  }

  /** Reports the status of the registered node. */
  async report(): Promise<void> {
    const { clients, nodes } = this.#context;
    const node = nodes.store.get(this.name);
    if (!node) return;
    await patchNodeStatus(clients, this.name, this.#status(node.status));
  }

  #status(before: corev1.NodeStatus | undefined): Partial<corev1.NodeStatus> {
    return nodeStatus(this.#config, { address: this.address, before, images: this.images.reported, nowMs: this.#context.clock.nowMs() });
  }

  #event(node: corev1.Node, reason: string): void {
    this.#record(node, reason, `Node ${this.name} status is now: ${reason}`);
  }

  /** A kubelet refers to its node by the name as UID. */
  #record({ kind, apiVersion }: corev1.Node, reason: string, message: string): void {
    this.recorder.event({ kind, apiVersion, metadata: { name: this.name, uid: this.name } }, 'Normal', reason, message);
  }
}
