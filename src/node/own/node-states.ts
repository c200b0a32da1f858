import { runWorkers, WorkQueue } from '../../client/index.ts';
import { nodePressureAnnotation, nodeStateOf } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { NodeContext } from '../node-context.ts';
import { synchronizeEvictions } from './eviction-manager.ts';
import type { OwnNodes } from './own-nodes.ts';
import type { OwnPods } from './own-pods.ts';
import { shutDown } from './shutdown.ts';

/** How often a shutdown checks its pods. */
const shutdownMs = 1_000;

/** Measures the nodes, corrects their conditions, and follows the annotations that stop and start them; `onStart` is called for a node that is started again. */
export function startNodeStates(context: NodeContext, ownNodes: OwnNodes, pods: OwnPods, onStart: (name: string) => void): void {
  const { clock, log, nodes, random, signal } = context;
  const queue = new WorkQueue<string>({ clock, signal });
  const shutdowns = new Map<string, number>();

  const reconcile = async (name: string): Promise<void> => {
    const [node, object] = [ownNodes.byName.get(name), nodes.store.get(name)];
    if (!node || !object) return;
    const state = nodeStateOf(object);
    if (state !== 'shutting-down') shutdowns.delete(name);
    if (state === 'running') {
      queue.addAfter(name, synchronizeEvictions(node, object, pods, context));
      if (node.changedConditions(object).length > 0) ownNodes.reportNow(name);
    }
    if (state !== 'shutting-down') return;
    const startedMs = shutdowns.get(name) ?? clock.nowMs();
    if (!shutdowns.has(name)) {
      node.recordShutdown();
      ownNodes.reportNow(name);
    }
    shutdowns.set(name, startedMs);
    if (await shutDown(node, startedMs, pods, context)) queue.addAfter(name, shutdownMs);
  };
  void Promise.all([nodes.synced, context.pods.synced]).then(() =>
    runWorkers({ queue, workers: 4, reconcile, name: 'states of nodes', log, signal }),
  );

  const follow = (after: corev1.Node, before: corev1.Node): void => {
    const name = after.metadata.name ?? '';
    const node = ownNodes.byName.get(name);
    if (!node) return;
    const [former, state] = [nodeStateOf(before), nodeStateOf(after)];
    if (former !== 'running' && state === 'running') {
      if (former === 'stopped') {
        node.recordReboot(random.uuid());
        pods.loseContainers(node);
      }
      onStart(name);
      ownNodes.reportNow(name);
    }
    const isOther = before.metadata.annotations?.[nodePressureAnnotation] !== after.metadata.annotations?.[nodePressureAnnotation];
    if (former !== state || isOther) queue.add(name);
  };
  nodes.addHandler({ onAdd: ({ metadata: { name = '' } }) => ownNodes.byName.has(name) && queue.add(name), onUpdate: follow });
}
