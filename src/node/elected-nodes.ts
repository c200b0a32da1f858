import { ApiClient, runLeaderElection } from '../client/index.ts';
import type { NodeManagerOptions } from './options.ts';
import type { NodeConfig } from './own/node-config.ts';
import { startNodes } from './start-nodes.ts';

/** The lease of the server that runs the nodes. */
const leaseName = 'simulated-nodes';

/**
 * Runs the nodes while this server holds their lease: several servers may share one storage. `identity` distinguishes them. The returned
 * function stops the nodes, and the next server takes over when the lease expires.
 */
export function startElectedNodes(options: NodeManagerOptions, configs: readonly NodeConfig[], identity: string): () => void {
  const { api, clock, log, product } = options;
  const ending = new AbortController();
  const client = new ApiClient({ api, product, signal: ending.signal });
  const lease = { namespace: product.names.systemNamespace, name: leaseName };
  const lead = (leading: AbortSignal): void => leading.addEventListener('abort', startNodes(options, configs), { once: true });
  void runLeaderElection({ client, clock, log, ...lease, identity }, lead, ending.signal);
  return () => ending.abort();
}
