import { type ByteSource, type ByteStream, createStreamPair, type Log } from '../../env/index.ts';
import { type HeaderLines, type HttpRequest as IncomingRequest, type ServerResponse, serveHttp } from '../../http/index.ts';
import { concatBytes } from '../../meta/index.ts';
import {
  type Connection,
  type Datagram,
  type DatagramSocket,
  type Endpoint,
  NetworkError,
  type NetworkNamespace,
  type ServerTls,
} from '../../network/index.ts';

/** What serves a port. */
export interface Listener {
  /** Serves HTTP; undefined: the port serves another protocol. */
  readonly http?: HttpService;
  /** Serves a connection of another protocol; it is reset when the listener ends before it is closed. */
  readonly accept?: (connection: Connection) => Promise<void>;
  /** Undefined: the port does not serve TLS. */
  readonly tls?: ServerTls | undefined;
  /** The answer to grpc.health.v1.Health/Check by the name of the service; undefined: the port does not serve gRPC. */
  readonly health?: (service: string) => 'SERVING' | 'NOT_SERVING' | 'NOT_FOUND';
}

export interface HttpRequest {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  /** Names in lower case; values of repeated headers are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** `address:port` of the client. */
  readonly remote: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** A body that is sent as it is produced, in place of `body`. */
  readonly stream?: ByteSource;
}

export type HttpService = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** Which port is served, and at which address; default: every address of the pod. */
export interface Bind {
  readonly port: number;
  readonly address?: string | undefined;
}

/** A socket of a pod, as netstat lists it. */
export interface ListedSocket {
  readonly protocol: 'tcp' | 'udp';
  readonly local: Endpoint;
  /** Undefined: the socket has no peer. */
  readonly remote: Endpoint | undefined;
}

const everyAddress: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]']);

/** The answer of servers in Go to a client without TLS. */
const plainRequest = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** The listening sockets of a pod. */
export class Listeners {
  readonly #byPort = new Map<number, Listener>();
  readonly #sockets = new Set<ListedSocket>();
  #network: NetworkNamespace | undefined;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Makes the ports reachable in the cluster network. */
  attach(network: NetworkNamespace): void {
    this.#network = network;
  }

  /** The network of the pod has ended. */
  detach(): void {
    this.#network = undefined;
  }

  get network(): NetworkNamespace | undefined {
    return this.#network;
  }

  /** In the order in which they were opened; listeners before their connections. An empty address is every address. */
  get sockets(): readonly ListedSocket[] {
    return [...this.#sockets];
  }

  /** The returned function ends the listener and its connections. @throws Error when the port is in use */
  listen(bind: number | Bind, listener: Listener): () => void {
    const { port, address = '' } = typeof bind === 'number' ? { port: bind } : bind;
    if (this.#byPort.has(port)) throw new Error(`listen tcp :${port}: bind: address already in use`);
    const connections = new Set<ByteStream>();
    const options = { port, tls: listener.tls, ...(everyAddress.has(address) ? {} : { address }) };
    const open = this.#network?.listen(options, (connection) => {
      const socket: ListedSocket = { protocol: 'tcp', local: connection.local, remote: connection.remote };
      const forget = (): void => {
        connections.delete(connection);
        this.#sockets.delete(socket);
      };
      connections.add(connection);
      this.#sockets.add(socket);
      void this.#serve(onClose(connection, forget), listener).finally(forget);
    });
    const socket: ListedSocket = { protocol: 'tcp', local: { address, port }, remote: undefined };
    this.#byPort.set(port, listener);
    this.#sockets.add(socket);
    return () => {
      open?.close();
      this.#sockets.delete(socket);
      for (const connection of connections) connection.abort(new NetworkError('ECONNRESET', 'connection reset by peer'));
      if (this.#byPort.get(port) === listener) this.#byPort.delete(port);
    };
  }

  /** Receives datagrams; undefined: the pod has no network. @throws NetworkError when the port is in use */
  bind({ port, address = '' }: Bind, receive: (datagram: Datagram) => void): DatagramSocket | undefined {
    const bound = this.#network?.bind({ port, ...(everyAddress.has(address) ? {} : { address }) }, receive);
    if (!bound) return undefined;
    const socket: ListedSocket = { protocol: 'udp', local: { address, port: bound.local.port }, remote: undefined };
    this.#sockets.add(socket);
    return {
      local: bound.local,
      send: (bytes, to) => bound.send(bytes, to),
      close: () => {
        this.#sockets.delete(socket);
        bound.close();
      },
    };
  }

  async #serve(connection: Connection, { http, accept, tls }: Listener): Promise<void> {
    if (accept) {
      // The connection may be reset at any time.
      await accept(connection).catch((error: unknown) => {
        if (!(error instanceof NetworkError)) this.#logFailure(error);
      });
      return;
    }
    if (!http) {
      await connection.sink.close();
      return;
    }
    const { address, port } = connection.remote;
    if (tls && !connection.isSecure) {
      await connection.sink.write(new TextEncoder().encode(plainRequest)).catch(() => {});
      await connection.sink.close();
      return;
    }
    const handle = async (request: IncomingRequest): Promise<ServerResponse> => {
      const { method, target, headers } = request;
      const body = await collect(request.body);
      const answer = await http({ method, target, headers: joinHeaders(headers), body, remote: `${address}:${port}` });
      return { status: answer.status, headers: answer.headers ?? [], body: answer.stream ?? answer.body ?? '' };
    };
    await serveHttp(connection, handle).catch((error: unknown) => this.#logFailure(error));
  }

  #logFailure(error: unknown): void {
    this.#log.error('a server of a container has failed', { error: String(error) });
  }

  at(port: number): Listener | undefined {
    return this.#byPort.get(port);
  }

  /** A connection to a port of a pod without a network. @throws NetworkError when nothing listens */
  connectLocally(to: Endpoint): ByteStream {
    const listener = this.#byPort.get(to.port);
    if (!listener) throw new NetworkError('ECONNREFUSED', `dial tcp ${to.address}:${to.port}: connect: connection refused`);
    const [client, server] = createStreamPair();
    void this.#serve(
      { ...server, local: to, remote: { address: to.address, port: 40_000 }, isSecure: listener.tls !== undefined },
      listener,
    );
    return client;
  }
}

/** The connection, with a callback for the end of its output. */
function onClose(connection: Connection, closed: () => void): Connection {
  const { local, remote, isSecure, source, sink } = connection;
  const close = (): Promise<void> => {
    closed();
    return sink.close();
  };
  return {
    local,
    remote,
    isSecure,
    source,
    sink: { write: (bytes) => sink.write(bytes), close },
    abort: (reason) => connection.abort(reason),
  };
}

function joinHeaders(lines: HeaderLines): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

async function collect(source: ByteSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return concatBytes(chunks);
}
