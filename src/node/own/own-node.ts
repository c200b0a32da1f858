import { type EventRecorder, hasStatus } from '../../client/index.ts';
import { nodeStateAnnotation, nodeStateOf } from '../../meta/index.ts';
import { type corev1, corev1Nodes } from '../../schema/api/index.ts';
import type { NodeContext } from '../node-context.ts';
import { patchNodeStatus } from '../node-writes.ts';
import { isPodRange, PodAddresses } from '../pod-addresses.ts';
import { type NodeConfig, runtimeHandlersOf } from './node-config.ts';
import { NodeImages } from './node-images.ts';
import { type Condition, conditionsOf, kubeletLabels, nodeAddress, nodeStatus, podRangeOf } from './node-object.ts';
import { NodePressure } from './node-pressure.ts';

/** A simulated node with a kubelet: its registration and status. */
export class OwnNode {
  readonly name: string;
  readonly images: NodeImages = new NodeImages();
  readonly recorder: EventRecorder;
  readonly pressure: NodePressure = new NodePressure();
  /** InternalIP. */
  readonly address: string;
  readonly #config: NodeConfig;
  readonly #context: NodeContext;
  readonly #ownRange: string;
  #isRegistered = false;
  #bootId: string | undefined;
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

  get runtimeHandlers(): readonly string[] {
    return runtimeHandlersOf(this.#config);
  }

  /** The conditions that are true. */
  get #conditions(): readonly string[] {
    const { clock, nodes } = this.#context;
    const isReady = nodeStateOf(nodes.store.get(this.name)) === 'running';
    return [...this.pressure.at(clock.nowMs()), ...(isReady ? ['Ready'] : [])];
  }

  /** Records a warning about the node. */
  warn(reason: string, message: string): void {
    this.#record('Warning', reason, message);
  }

  /** The node has been started after a power failure. */
  recordReboot(bootId: string): void {
    this.#bootId = bootId;
    this.#recordStart();
    this.warn('Rebooted', `Node ${this.name} has been rebooted, boot id: ${bootId}`);
  }

  /** The node begins a graceful shutdown. */
  recordShutdown(): void {
    this.#record('Normal', 'NodeShutdown', 'Shutdown manager detected shutdown event');
  }

  /** Whether the node has been created. A node that is deleted afterwards is not registered again. */
  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  /** Records changes of the node that a kubelet reports by events. */
  observe(node: corev1.Node): void {
    const isUnschedulable = node.spec.unschedulable === true;
    if (this.#isRegistered && isUnschedulable !== this.#isUnschedulable) {
      this.#event(isUnschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable');
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
      const metadata = { name: this.name, labels: renamed, annotations: { [nodeStateAnnotation]: 'running', ...annotations } };
      node = await nodes.create({ metadata, spec: taints.length > 0 ? { taints } : {}, status: this.#status(undefined) });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      node = await nodes.get({ name: this.name });
      this.images.restore(node.status.images ?? []);
      await nodes.patch({ name: this.name }, 'strategic', { status: this.#status(node.status) }, { subresource: 'status' });
    }
    this.#isRegistered = true;
    this.#isUnschedulable = node.spec.unschedulable === true;
    this.#recordStart();
  }

  #recordStart(): void {
    this.#record('Normal', 'Starting', 'Starting kubelet.');
    this.#record('Normal', 'NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods');
    this.#recordConditions(conditionsOf(this.#conditions));
  }

  /** Reports the status of the registered node. */
  async report(): Promise<void> {
    const { clients, nodes } = this.#context;
    const node = nodes.store.get(this.name);
    if (!node) return;
    this.#recordConditions(this.changedConditions(node));
    await patchNodeStatus(clients, this.name, this.#status(node.status));
  }

  #status(before: corev1.NodeStatus | undefined): Partial<corev1.NodeStatus> {
    const present = this.#conditions;
    const { clock, product } = this.#context;
    const nowMs = clock.nowMs();
    const [address, bootId, images] = [this.address, this.#bootId, this.images.reported];
    return nodeStatus(this.#config, { address, before, bootId, images, present, product, nowMs });
  }

  /** The conditions whose stored status is another one: other components change it too. Cf. pkg/kubelet/nodestatus setters. */
  changedConditions({ status: stored }: corev1.Node): readonly Condition[] {
    return conditionsOf(this.#conditions).filter(
      ({ type, status }) => stored.conditions?.find((condition) => condition.type === type)?.status !== status,
    );
  }

  #recordConditions(conditions: readonly Condition[]): void {
    for (const { reason } of conditions) this.#event(reason.replace('Kubelet', 'Node'));
  }

  #event(reason: string): void {
    this.#record('Normal', reason, `Node ${this.name} status is now: ${reason}`);
  }

  /** A kubelet refers to its node by the name as UID. */
  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.recorder.event({ kind: 'Node', apiVersion: 'v1', metadata: { name: this.name, uid: this.name } }, type, reason, message);
  }
}
