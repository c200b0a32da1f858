import { EventRecorder, runWorkers, WorkQueue } from '../../client/index.ts';
import { nodeStateOf, sameJson } from '../../meta/index.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeConfig } from './node-config.ts';
import { OwnNode } from './own-node.ts';

/** A kubelet posts an unchanged status every five minutes. Cf. nodeStatusReportFrequency. */
const reportMs = 300_000;

/** Changes are reported with the next of the checks every ten seconds. Cf. nodeStatusUpdateFrequency. */
const changeMs = 10_000;

/** The simulated nodes with kubelets. */
export interface OwnNodes {
  readonly byName: ReadonlyMap<string, OwnNode>;
  /** The node has other images now. */
  reportSoon(name: string): void;
  /** Conditions of the node have changed. */
  reportNow(name: string): void;
}

/** Registers the nodes and reports their status; `onRegistered` is called once for each of them. */
export function startOwnNodes(configs: readonly NodeConfig[], context: NodeContext, onRegistered: (name: string) => void): OwnNodes {
  const { clock, log, signal, clients, nodes } = context;
  const createNode = (config: NodeConfig, index: number): OwnNode => {
    const recorder = new EventRecorder({ client: clients.of(config.name), clock, log, component: 'kubelet', host: config.name, signal });
    return new OwnNode(config, index, context, recorder);
  };
  const byName = new Map(configs.map((config, index) => [config.name, createNode(config, index)]));
  const queue = new WorkQueue<string>({ clock, signal });
  const reconcile = async (name: string): Promise<void> => {
    const node = byName.get(name);
    if (!node || nodeStateOf(nodes.store.get(name)) === 'stopped') return;
    if (node.isRegistered) await node.report();
    else {
      await node.register();
      onRegistered(name);
    }
    queue.addAfter(name, reportMs);
  };
  void nodes.synced.then(() => runWorkers({ queue, workers: 4, reconcile, name: 'status of nodes', log, signal }));
  for (const name of byName.keys()) queue.add(name);
  nodes.addHandler({
    onAdd: (node) => byName.get(node.metadata.name ?? '')?.observe(node),
    onUpdate(node, old) {
      const { name = '' } = node.metadata;
      byName.get(name)?.observe(node);
      if (byName.has(name) && !sameJson(node.status.capacity ?? {}, old.status.capacity ?? {})) queue.addAfter(name, changeMs);
    },
  });
  return { byName, reportSoon: (name) => queue.addAfter(name, changeMs), reportNow: (name) => queue.add(name) };
}
