import { cacheKeyOf } from '../../client/index.ts';
import { coordinationv1Leases, type corev1, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { TaintWriter } from '../nodes/index.ts';
import { runPeriodically } from '../run-periodically.ts';
import { startWorkers } from '../start-workers.ts';
import { conditionTaints, missingLabels } from './condition-taints.ts';
import { NodeMonitor } from './node-monitor.ts';

const name = 'node-lifecycle-controller';
/** --node-monitor-period */
const monitorMs = 5_000;

/** Watches the health of nodes, and taints them accordingly. Cf. pkg/controller/nodelifecycle. */
export const nodeLifecycle: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const nodes = informers.informer(corev1Nodes);
  const pods = informers.informer(corev1Pods);
  const leases = informers.informer(coordinationv1Leases, { namespace: product.names.nodeLeaseNamespace });
  const writer = client.resource(corev1Nodes);
  const taints = new TaintWriter(writer, clock);
  const recorder = createEventRecorder(context, 'node-controller');
  const monitor = new NodeMonitor({ context, nodes, pods, leases, recorder });
  const informersOf = [nodes, pods, leases];

  const processNode = async (key: string): Promise<void> => {
    const node = nodes.store.get(key);
    if (!node) return;
    const change = conditionTaints(node, product);
    if (change) await taints.change(node, change);
    const labels = missingLabels(node.metadata, product);
    if (labels) await ignoreStaleWrite(writer.patch({ name: key }, 'strategic', { metadata: { labels } }));
  };
  const nodeQueue = startWorkers({ name, informers: informersOf, reconcile: processNode }, context);
  const enqueueNode = (node: corev1.Node): void => nodeQueue.add(cacheKeyOf(node));
  nodes.addHandler({ onAdd: enqueueNode, onUpdate: enqueueNode });

  const processPod = async (key: string): Promise<void> => {
    const pod = pods.store.get(key);
    if (pod) await monitor.processPod(pod);
  };
  const podQueue = startWorkers({ name, informers: informersOf, reconcile: processPod }, context);
  pods.addHandler({
    onUpdate: (pod, old) => {
      if (pod.spec.nodeName && pod.spec.nodeName !== old.spec.nodeName) podQueue.add(cacheKeyOf(pod));
    },
  });

  const taintQueue = startWorkers(
    {
      name,
      informers: informersOf,
      workers: 1,
      reconcile: async (key) => {
        const nextMs = await monitor.taintNodes();
        if (nextMs !== undefined) taintQueue.addAfter(key, Math.max(100, nextMs));
      },
    },
    context,
  );
  const pass = async (): Promise<void> => {
    await monitor.monitor();
    taintQueue.add('');
  };
  void Promise.all(informersOf.map(({ synced }) => synced)).then(() => runPeriodically(name, monitorMs, pass, context));
};
