import { ApiClient } from '../client/index.ts';
import type { NodeManagerOptions } from './options.ts';

/** The clients of the nodes, each with the identity of its node. */
export class NodeClients {
  readonly #options: Pick<NodeManagerOptions, 'apiOf' | 'product'>;
  readonly #signal: AbortSignal;
  readonly #clients = new Map<string, ApiClient>();

  constructor(options: Pick<NodeManagerOptions, 'apiOf' | 'product'>, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  of(node: string): ApiClient {
    const { apiOf, product } = this.#options;
    const client = this.#clients.get(node) ?? new ApiClient({ api: apiOf(node), product, signal: this.#signal });
    this.#clients.set(node, client);
    return client;
  }

  forget(node: string): void {
    this.#clients.delete(node);
  }
}
