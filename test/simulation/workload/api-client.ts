import { TransportError } from '../../../src/client/index.ts';
import { createHeaders } from '../../../src/meta/index.ts';
import type { Environment } from '../environment.ts';
import type { HttpRequest } from '../model/write-request.ts';
import type { Delivered, Network } from '../network.ts';

/** Sends the requests of one client and records each with its response in the transcript. */
export class ApiClient {
  readonly #name: string;
  readonly #environment: Environment;
  readonly #network: Network;

  constructor(name: string, environment: Environment, network: Network) {
    this.#name = name;
    this.#environment = environment;
    this.#network = network;
  }

  get(target: string): Promise<Delivered | undefined> {
    return this.send({ method: 'GET', target, headers: {}, body: undefined });
  }

  /** Undefined when no response arrived. `note` is added to the request in the transcript. */
  async send({ method, target, headers, body }: HttpRequest, note = ''): Promise<Delivered | undefined> {
    const { record } = this.#environment;
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
