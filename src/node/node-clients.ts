import { AbortGroup, ApiClient, type ClientRate, clientRateOr, withRateLimit } from '../client/index.ts';
import type { NodeManagerOptions } from './options.ts';

interface NodeClient {
  readonly client: ApiClient;
  readonly ending: AbortController;
}

type NodeClientsOptions = Pick<NodeManagerOptions, 'apiOf' | 'clientRate' | 'clock' | 'product'>;

/** The rate of the kubelet. The burst is larger: all pods of a node start without delay. */
const defaultRate: ClientRate = { qps: 50, burst: 5_000 };

/** The clients of the nodes, each with the identity of its node. */
export class NodeClients {
  readonly #options: NodeClientsOptions;
  readonly #running: AbortGroup;
  readonly #clients = new Map<string, NodeClient>();

  constructor(options: NodeClientsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#running = new AbortGroup(signal);
  }

  of(node: string): ApiClient {
    const known = this.#clients.get(node) ?? this.#create(node);
    this.#clients.set(node, known);
    return known.client;
  }

  forget(node: string): void {
    const known = this.#clients.get(node);
    if (known) this.#running.remove(known.ending);
    this.#clients.delete(node);
  }

  #create(node: string): NodeClient {
    const { apiOf, clientRate, clock, product } = this.#options;
    const api = withRateLimit(apiOf(node), clock, clientRateOr(clientRate, defaultRate));
    const ending = this.#running.add();
    return { client: new ApiClient({ api, product, signal: ending.signal }), ending };
  }
}
