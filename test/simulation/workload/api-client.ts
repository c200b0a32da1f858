import { TransportError } from '../../../src/client/index.ts';
import { createHeaders } from '../../../src/meta/index.ts';
import type { HttpRequest } from '../model/write-request.ts';
import type { Delivered, Network } from '../network.ts';
import type { World } from '../world.ts';

/** Requests of one client, each in the transcript with its answer. */
export class ApiClient {
  readonly #name: string;
  readonly #world: World;
  readonly #network: Network;

  constructor(name: string, world: World, network: Network) {
    this.#name = name;
    this.#world = world;
    this.#network = network;
  }

  get(target: string): Promise<Delivered | undefined> {
    return this.send({ method: 'GET', target, headers: {}, body: undefined });
  }

  /** Undefined when no answer came. `note` stands beside the request in the transcript. */
  async send({ method, target, headers, body }: HttpRequest, note = ''): Promise<Delivered | undefined> {
    const { record } = this.#world;
    record(this.#name, `${method} ${target} ${note}`);
    try {
      const delivered = await this.#network({
        method,
        target,
        headers: createHeaders(Object.entries({ accept: 'application/json', ...headers })),
        body: body && new TextEncoder().encode(JSON.stringify(body)),
        signal: new AbortController().signal,
      });
      record(this.#name, `${delivered.response.status} from ${delivered.server.name} ${method} ${target} ${note}`);
      return delivered;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      record(this.#name, `no answer: ${error.message}: ${method} ${target} ${note}`);
      return undefined;
    }
  }
}
