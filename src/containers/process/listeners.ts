import type { ByteSource, Log } from '../../env/index.ts';
import { type HttpRequest as IncomingRequest, type ServerResponse, serveHttp } from '../../http/index.ts';
import type { Connection, NetworkNamespace } from '../../network/index.ts';
import { joinBytes } from '../../shell/index.ts';
/** What serves a port. */
export interface Listener {
  readonly protocol: 'tcp' | 'udp';
  /** Serves HTTP; undefined: the port serves another protocol. */
  readonly http?: HttpService;
  /** The answer to grpc.health.v1.Health/Check by the name of the service; undefined: the port does not serve gRPC. */
  readonly health?: (service: string) => 'SERVING' | 'NOT_SERVING' | 'NOT_FOUND';
}

export interface HttpRequest {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** `address:port` of the client. */
  readonly remote: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

export type HttpService = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** The listening sockets of a pod. */
export class Listeners {
  readonly #byPort = new Map<string, Listener>();
  #network: NetworkNamespace | undefined;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Makes the ports reachable in the cluster network. */
  attach(network: NetworkNamespace): void {
    this.#network = network;
  }

  get network(): NetworkNamespace | undefined {
    return this.#network;
  }

  /** @throws Error when the port is in use */
  listen(port: number, listener: Listener): () => void {
    const key = `${listener.protocol}/${port}`;
    if (this.#byPort.has(key)) throw new Error(`listen ${listener.protocol} :${port}: bind: address already in use`);
    const open =
      listener.protocol === 'tcp' ? this.#network?.listen({ port }, (connection) => this.#serve(connection, listener)) : undefined;
    this.#byPort.set(key, listener);
    return () => {
      open?.close();
      if (this.#byPort.get(key) === listener) this.#byPort.delete(key);
    };
  }

  #serve(connection: Connection, { http }: Listener): void {
    if (!http) {
      void connection.sink.close();
      return;
    }
    const { address, port } = connection.remote;
    const handle = async (request: IncomingRequest): Promise<ServerResponse> => {
      const { method, target, headers } = request;
      const body = await collect(request.body);
      const answer = await http({ method, target, headers: new Map(headers), body, remote: `${address}:${port}` });
      return { status: answer.status, headers: answer.headers ?? [], body: answer.body ?? '' };
    };
    void serveHttp(connection, handle).catch((error: unknown) => {
      this.#log.error('a server of a container has failed', { error: String(error) });
    });
  }

  at(port: number, protocol: Listener['protocol'] = 'tcp'): Listener | undefined {
    return this.#byPort.get(`${protocol}/${port}`);
  }
}

async function collect(source: ByteSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return joinBytes(chunks);
}
