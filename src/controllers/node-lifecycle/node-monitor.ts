import type { EventRecorder, KubeObject, SharedInformer } from '../../client/index.ts';
import { type coordinationv1, type corev1, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import type { ControllerContext } from '../controller.ts';
import { hasTaint, nodeCondition, podsByNode, TaintWriter, zoneOf } from '../nodes/index.ts';
import { checkHealth, type NodeHealth } from './node-health.ts';
import { markPodsNotReady } from './not-ready-pods.ts';
import { TaintQueue } from './taint-queue.ts';
import { ZoneStates } from './zone-states.ts';

/** A longer time between two passes, which are 5 s apart, is a sleep of the host. */
const sleepMs = 20_000;

interface MonitorOptions {
  readonly context: ControllerContext;
  readonly nodes: SharedInformer<corev1.Node>;
  readonly pods: SharedInformer<corev1.Pod>;
  readonly leases: SharedInformer<coordinationv1.Lease>;
  readonly recorder: EventRecorder;
}

/** Finds unreachable nodes, and taints nodes that are not ready so that their pods are evicted. Cf. monitorNodeHealth. */
export class NodeMonitor {
  readonly #options: MonitorOptions;
  readonly #podsOf: (node: string) => readonly corev1.Pod[];
  readonly #taints: TaintWriter;
  readonly #known = new Map<string, corev1.Node>();
  readonly #health = new Map<string, NodeHealth>();
  readonly #zoneStates = new ZoneStates();
  readonly #queues = new Map<string, TaintQueue>();
  /** Nodes with pods whose readiness could not be written. */
  readonly #retries = new Set<string>();
  #lastPassMs: number | undefined;
  readonly #notReady: { readonly key: string; readonly effect: string };
  readonly #unreachable: { readonly key: string; readonly effect: string };

  constructor(options: MonitorOptions) {
    const { client, clock, product } = options.context;
    this.#options = options;
    this.#podsOf = podsByNode(options.pods.store);
    this.#taints = new TaintWriter(client.resource(corev1Nodes), clock);
    this.#notReady = { key: product.rename('node.kubernetes.io/not-ready'), effect: 'NoExecute' };
    this.#unreachable = { key: product.rename('node.kubernetes.io/unreachable'), effect: 'NoExecute' };
  }

  /** One pass over all nodes. */
  async monitor(): Promise<void> {
    const { context, nodes } = this.#options;
    this.#updateKnown();
    this.#restartGraceAfterSleep();
    const zones = new Map<string, boolean[]>();
    const excluded = context.product.rename('node.kubernetes.io/exclude-disruption');
    for (const node of nodes.store.list()) {
      const ready = await this.#checkNode(node);
      if (!ready || node.metadata.labels?.[excluded] !== undefined) continue;
      const zone = zoneOf(node, context.product);
      const readiness = zones.get(zone) ?? [];
      readiness.push(ready.status === 'True');
      zones.set(zone, readiness);
    }
    await this.#updateZones(zones);
  }

  /** Taints the nodes that the rate limits allow; returns the milliseconds until the next one. Cf. doNoExecuteTaintingPass. */
  async taintNodes(): Promise<number | undefined> {
    const { clock } = this.#options.context;
    for (const queue of this.#queues.values()) {
      for (let name = queue.take(clock.monotonicMs()); name !== undefined; name = queue.take(clock.monotonicMs())) {
        const node = this.#options.nodes.store.get(name);
        const status = node && nodeCondition(node, 'Ready')?.status;
        if (node && status === 'False') await this.#taints.change(node, { add: [this.#notReady], remove: [this.#unreachable] });
        if (node && status === 'Unknown') await this.#taints.change(node, { add: [this.#unreachable], remove: [this.#notReady] });
      }
    }
    const waits = [...this.#queues.values()].flatMap((queue) => queue.nextMs() ?? []);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** A pod was assigned to a node, which may be unreachable already. Cf. processPod. */
  async processPod(pod: corev1.Pod): Promise<void> {
    const { nodeName = '' } = pod.spec;
    const ready = this.#health.get(nodeName)?.ready;
    if (ready && ready.status !== 'True' && this.#options.nodes.store.has(nodeName)) await this.#markPodsNotReady([pod]);
  }

  #updateKnown(): void {
    const { nodes, recorder } = this.#options;
    for (const node of nodes.store.list()) {
      const { name = '' } = node.metadata;
      if (!this.#known.has(name)) record(recorder, node, 'RegisteredNode', `Registered Node ${name} in Controller`);
      this.#known.set(name, node);
    }
    for (const [name, node] of this.#known) {
      if (nodes.store.has(name)) continue;
      record(recorder, node, 'RemovingNode', `Removing Node ${name} from Controller`);
      this.#known.delete(name);
      this.#health.delete(name);
      this.#retries.delete(name);
      for (const queue of this.#queues.values()) queue.delete(name);
    }
  }

  /** Returns the Ready condition. */
  async #checkNode(node: corev1.Node): Promise<corev1.NodeCondition | undefined> {
    const { context, leases, recorder } = this.#options;
    const { name = '' } = node.metadata;
    const lease = leases.store.get(`${context.product.names.nodeLeaseNamespace}/${name}`);
    const observed = nodeCondition(node, 'Ready');
    const { health, conditions } = checkHealth(node, lease, this.#health.get(name), context.clock.nowMs());
    if (conditions) {
      await context.client.resource(corev1Nodes).updateStatus({ ...node, status: { ...node.status, conditions } });
    }
    const ready = conditions ? conditions.find(({ type }) => type === 'Ready') : observed;
    this.#health.set(name, { ...health, ready });
    if (!ready) return undefined;
    await this.#processTaints(node, observed?.status ?? 'Unknown');
    const becomesUnreachable = ready.status !== 'True' && observed?.status === 'True';
    if (becomesUnreachable) recorder.event(aboutNode(node), 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    if (becomesUnreachable || (this.#retries.has(name) && observed?.status !== 'True')) await this.#markNodeNotReady(name);
    return ready;
  }

  /**
   * A host that slept has run neither this monitor nor the nodes of its own process: none was unreachable, and each needs the time of a
   * renewal. Upstream would mark all nodes of such a cluster as unreachable.
   */
  #restartGraceAfterSleep(): void {
    const nowMs = this.#options.context.clock.nowMs();
    const sleptMs = nowMs - (this.#lastPassMs ?? nowMs);
    this.#lastPassMs = nowMs;
    if (sleptMs < sleepMs) return;
    for (const [name, health] of this.#health) this.#health.set(name, { ...health, probeMs: nowMs });
  }

  async #markNodeNotReady(name: string): Promise<void> {
    this.#retries.delete(name);
    try {
      await this.#markPodsNotReady(this.#podsOf(name));
    } catch {
      this.#retries.add(name);
    }
  }

  async #markPodsNotReady(pods: readonly corev1.Pod[]): Promise<void> {
    const { context, recorder } = this.#options;
    await markPodsNotReady(pods, { pods: context.client.resource(corev1Pods), recorder, nowMs: context.clock.nowMs() });
  }

  /** Cf. processTaintBaseEviction. */
  async #processTaints(node: corev1.Node, status: string): Promise<void> {
    if (status === 'True') return this.#markReachable(node);
    const [wanted, other] = status === 'False' ? [this.#notReady, this.#unreachable] : [this.#unreachable, this.#notReady];
    if (hasTaint(node, other)) await this.#taints.change(node, { add: [wanted], remove: [other] });
    else if (!hasTaint(node, wanted)) this.#queueOf(zoneOf(node, this.#options.context.product)).add(node.metadata.name ?? '');
  }

  async #markReachable(node: corev1.Node): Promise<void> {
    this.#queues.get(zoneOf(node, this.#options.context.product))?.delete(node.metadata.name ?? '');
    await this.#taints.change(node, { add: [], remove: [this.#notReady, this.#unreachable] });
  }

  async #updateZones(zones: ReadonlyMap<string, readonly boolean[]>): Promise<void> {
    const { clock } = this.#options.context;
    const { entersFullDisruption, leavesFullDisruption, rates } = this.#zoneStates.update(zones);
    if (entersFullDisruption) for (const node of this.#options.nodes.store.list()) await this.#markReachable(node);
    if (leavesFullDisruption) for (const [name, health] of this.#health) this.#health.set(name, { ...health, probeMs: clock.nowMs() });
    for (const [zone, rate] of rates) this.#queueOf(zone).setRate(rate, clock.monotonicMs());
  }

  #queueOf(zone: string): TaintQueue {
    const queue = this.#queues.get(zone) ?? new TaintQueue(this.#options.context.clock.monotonicMs());
    this.#queues.set(zone, queue);
    return queue;
  }
}

/** Events about nodes are in the namespace `default`, and without a version. */
function aboutNode({ apiVersion, kind, metadata: { name = '', uid = '' } }: corev1.Node): KubeObject {
  return { apiVersion, kind, metadata: { name, uid } };
}

function record(recorder: EventRecorder, node: corev1.Node, reason: string, message: string): void {
  recorder.event(aboutNode(node), 'Normal', reason, `Node ${node.metadata.name} event: ${message}`);
}
