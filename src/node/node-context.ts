import type { ApiClient, SharedInformer } from '../client/index.ts';
import type { corev1 } from '../schema/api/index.ts';
import type { NodeClients } from './node-clients.ts';
import type { NodeManagerOptions } from './options.ts';

/** What the parts of the simulated nodes share. */
export interface NodeContext extends Omit<NodeManagerOptions, 'api' | 'apiOf' | 'clientRate'> {
  /** The client with all permissions. */
  readonly client: ApiClient;
  readonly clients: NodeClients;
  readonly nodes: SharedInformer<corev1.Node>;
  /** All pods, with the index `node`. */
  readonly pods: SharedInformer<corev1.Pod>;
  /** Stops the nodes. */
  readonly signal: AbortSignal;
}

/** The index of pods by the name of their node. */
export const podsByNode = 'node';
