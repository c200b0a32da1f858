import { AbortGroup, ApiClient, cacheKeyOf, InformerFactory, runWorkers, WorkQueue } from '../client/index.ts';
import { nodeStateOf } from '../meta/index.ts';
import { type corev1, corev1Nodes, corev1Pods } from '../schema/api/index.ts';
import type { KubeletApi } from '../streaming/index.ts';
import { createAdoptedPods, isAdopted, startAdoptedNodes } from './adopted/adopted-nodes.ts';
import { startLeases } from './heartbeat/node-lease.ts';
import { NodeClients } from './node-clients.ts';
import { type NodeContext, podsByNode } from './node-context.ts';
import type { NodeManagerOptions } from './options.ts';
import type { NodeConfig } from './own/node-config.ts';
import { startNodeStates } from './own/node-states.ts';
import { type OwnNodes, startOwnNodes } from './own/own-nodes.ts';
import { OwnPods } from './own/own-pods.ts';
import { registerMetrics } from './own/register-metrics.ts';
import type { PodReconciler } from './pod-reconciler.ts';

/** Number of pods that are processed at the same time. */
const podWorkers = 16;

/** Runs nodes with kubelets, and the nodes that carry kwok's annotation; the returned function stops them. */
export function startNodes(options: NodeManagerOptions, configs: readonly NodeConfig[] = []): () => void {
  const running = new AbortGroup();
  const context = createContext(options, running.add().signal);
  const { clock, nodes, pods, signal } = context;
  // Every loop adds listeners to its signal.
  const ownContext = (): NodeContext => ({ ...context, signal: running.add().signal });
  const queue = new WorkQueue<string>({ clock, signal });
  const isOwn = (name: string): boolean => ownNodes.byName.has(name);
  const isStopped = (name: string): boolean => nodeStateOf(nodes.store.get(name)) === 'stopped';
  const isRun = (name: string): boolean => (isOwn(name) ? !isStopped(name) : isAdopted(nodes.store.get(name), context));
  const leases = startLeases(context, isRun);
  const staticPods = options.staticPods?.start(ownContext(), isOwn);
  const runNode = (name: string): void => {
    leases.add(name);
    staticPods?.add(name);
    // Pods may be bound to a node before it is adopted.
    for (const pod of pods.store.byIndex(podsByNode, name)) queue.add(cacheKeyOf(pod));
  };
  const ownNodes = startOwnNodes(configs, context, runNode);
  if (configs.length > 0) registerMetrics(ownContext());
  startAdoptedNodes(context, isOwn, runNode);
  const own = new OwnPods(context, ownNodes, (key, ms) => queue.addAfter(key, ms));
  registerKubelets(context, ownNodes, own, running);
  startNodeStates(ownContext(), ownNodes, own, runNode);
  const adopted = createAdoptedPods(context);
  startPods(context, queue, [own, adopted], (node) => (!isRun(node) ? undefined : isOwn(node) ? own : adopted));
  return () => running.abort();
}

function createContext({ api, apiOf, clientRate, ...options }: NodeManagerOptions, signal: AbortSignal): NodeContext {
  const { clock, product } = options;
  const client = new ApiClient({ api, product, signal });
  const informers = new InformerFactory(client, clock, signal);
  const [nodes, pods] = [informers.informer(corev1Nodes), informers.informer(corev1Pods)];
  pods.store.addIndex(podsByNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  return { ...options, client, clients: new NodeClients({ apiOf, clientRate, clock, product }, signal), nodes, pods, signal };
}

/** Makes the kubelets of the nodes reachable while they run. */
function registerKubelets(context: NodeContext, { byName }: OwnNodes, pods: OwnPods, running: AbortGroup): void {
  const { kubelets } = context;
  if (!kubelets) return;
  const startedMs = context.clock.nowMs();
  for (const node of byName.values()) {
    let kubelet: Promise<KubeletApi> | undefined;
    // With its first request: pages load the nodes at once, and connections to containers later.
    const load = (): Promise<KubeletApi> =>
      (kubelet ??= import('./runtime/node-kubelet.ts').then(({ createNodeKubelet }) =>
        createNodeKubelet({ node: node.name, find: (target) => pods.find(node, target), startedMs }, context),
      ));
    const unregister = kubelets.register(node.name, {
      containerLogs: async (request, signal) => (await load()).containerLogs(request, signal),
      exec: async (request) => (await load()).exec(request),
      attach: async (request) => (await load()).attach(request),
      portForward: async (target) => (await load()).portForward(target),
      http: async (request) => (await load()).http(request),
    });
    // A signal for each: Node warns of many listeners to one.
    running.add().signal.addEventListener('abort', unregister, { once: true });
  }
}

/** Starts the workers of pods once the caches are complete. */
function startPods(
  context: NodeContext,
  queue: WorkQueue<string>,
  reconcilers: readonly PodReconciler[],
  reconcilerOf: (node: string) => PodReconciler | undefined,
): void {
  const { log, nodes, pods, signal } = context;
  const reconcile = async (key: string): Promise<void> => {
    const pod = pods.store.get(key);
    if (pod) await reconcilerOf(pod.spec.nodeName ?? '')?.reconcile(pod);
  };
  void Promise.all([nodes.synced, pods.synced]).then(() =>
    runWorkers({ queue, workers: podWorkers, reconcile, name: 'pods of nodes', log, signal }),
  );
  const enqueue = (pod: corev1.Pod): void => {
    if (reconcilerOf(pod.spec.nodeName ?? '')) queue.add(cacheKeyOf(pod));
  };
  // A node may be deleted before its pods, so that it has no reconciler any more.
  const forget = (pod: corev1.Pod): void => {
    for (const reconciler of reconcilers) reconciler.forget(pod);
  };
  pods.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: forget });
}
