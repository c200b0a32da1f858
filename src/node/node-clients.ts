import { AbortGroup, ApiClient } from '../client/index.ts';
import type { NodeManagerOptions } from './options.ts';

interface NodeClient {
  readonly client: ApiClient;
  readonly ending: AbortController;
}

/** The clients of the nodes, each with the identity of its node. */
export class NodeClients {
  readonly #options: Pick<NodeManagerOptions, 'apiOf' | 'product'>;
  readonly #running: AbortGroup;
  readonly #clients = new Map<string, NodeClient>();

  constructor(options: Pick<NodeManagerOptions, 'apiOf' | 'product'>, signal: AbortSignal) {
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
    const { apiOf, product } = this.#options;
    const ending = this.#running.add();
    return { client: new ApiClient({ api: apiOf(node), product, signal: ending.signal }), ending };
  }
}
