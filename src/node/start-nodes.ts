import { AbortGroup, ApiClient, cacheKeyOf, InformerFactory, runWorkers, WorkQueue } from '../client/index.ts';
import { type corev1, corev1Nodes, corev1Pods } from '../schema/api/index.ts';
import { createAdoptedPods, isAdopted, startAdoptedNodes } from './adopted/adopted-nodes.ts';
import { startLeases } from './heartbeat/node-lease.ts';
import { NodeClients } from './node-clients.ts';
import { type NodeContext, podsByNode } from './node-context.ts';
import type { NodeManagerOptions } from './options.ts';

/** Number of pods that are processed at the same time. */
const podWorkers = 16;

/** Runs the nodes that carry kwok's annotation; the returned function stops them. */
export function startNodes({ api, apiOf, ...options }: NodeManagerOptions): () => void {
  const running = new AbortGroup();
  const { signal } = running.add();
  const { clock, product } = options;
  const client = new ApiClient({ api, product, signal });
  const informers = new InformerFactory(client, clock, signal);
  const [nodes, pods] = [informers.informer(corev1Nodes), informers.informer(corev1Pods)];
  pods.store.addIndex(podsByNode, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  const context: NodeContext = { ...options, client, clients: new NodeClients({ apiOf, product }, signal), nodes, pods, signal };
  const isRun = (name: string): boolean => isAdopted(nodes.store.get(name), context);
  const leases = startLeases(context, isRun);
  const queue = startPods(context, isRun);
  startAdoptedNodes(
    context,
    () => false,
    (name) => {
      leases.add(name);
      // Pods may be bound to a node before it is adopted.
      for (const pod of pods.store.byIndex(podsByNode, name)) queue.add(cacheKeyOf(pod));
    },
  );
  return () => running.abort();
}

/** Starts the workers of pods once the caches are complete. */
function startPods(context: NodeContext, isRun: (node: string) => boolean): WorkQueue<string> {
  const { clock, log, nodes, pods, signal } = context;
  const adopted = createAdoptedPods(context);
  const queue = new WorkQueue<string>({ clock, signal });
  const reconcile = async (key: string): Promise<void> => {
    const pod = pods.store.get(key);
    if (pod && isRun(pod.spec.nodeName ?? '')) await adopted.reconcile(pod);
  };
  void Promise.all([nodes.synced, pods.synced]).then(() =>
    runWorkers({ queue, workers: podWorkers, reconcile, name: 'pods of nodes', log, signal }),
  );
  const enqueue = (pod: corev1.Pod): void => {
    if (isRun(pod.spec.nodeName ?? '')) queue.add(cacheKeyOf(pod));
  };
  pods.addHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: (pod) => adopted.forget(pod) });
  return queue;
}
