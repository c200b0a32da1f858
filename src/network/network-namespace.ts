import type { ByteStream } from '../env/index.ts';

/** An address and a port. */
export interface Endpoint {
  /** An IPv4 or IPv6 address. */
  readonly address: string;
  readonly port: number;
}

/**
 * The network of one pod, or of a node (`hostNetwork`), as the programs in its containers use it: all containers of a pod share one, with
 * its ports and its loopback address.
 */
export interface NetworkNamespace {
  /** Of the pod (`status.podIPs`) or the node, without loopback addresses. */
  readonly addresses: readonly string[];
  /**
   * Accepts connections until the listener is closed.
   * @throws NetworkError EADDRINUSE, EADDRNOTAVAIL
   */
  listen(options: ListenOptions, accept: (connection: Connection) => void): Listener;
  /**
   * Connects to an address of the cluster: of a pod, a node, a Service, or the own loopback address. Network policies apply.
   * @throws NetworkError ECONNREFUSED, EHOSTUNREACH, ETIMEDOUT (after the clock's time; a policy drops packets silently)
   */
  connect(to: Endpoint, options?: ConnectOptions): Promise<Connection>;
  /** Receives datagrams. @throws NetworkError EADDRINUSE */
  bind(options: ListenOptions, receive: (datagram: Datagram) => void): DatagramSocket;
  /** The TTL of the reply to an ICMP echo request; undefined: there is no reply. Services do not reply, and network policies apply. */
  ping(address: string): number | undefined;
  /** The name server of the cluster, without search paths: `name` is fully qualified. */
  query(name: string, type: RecordType): Promise<DnsAnswer>;
  /** Closes all listeners, sockets and connections. */
  close(): void;
}

export interface ListenOptions {
  /** Undefined, `0.0.0.0` or `::`: every address of the namespace. */
  readonly address?: string | undefined;
  /** 0: any free port. */
  readonly port: number;
  /** The listener serves TLS; undefined: plain bytes. */
  readonly tls?: ServerTls | undefined;
}

export interface ConnectOptions {
  readonly signal?: AbortSignal | undefined;
  /** Undefined: plain bytes. */
  readonly tls?: ClientTls | undefined;
}

/** Certificates are verified as by a real handshake; the bytes in the emulated network are not encrypted. */
export interface ServerTls {
  /** The certificate and its chain, as PEM. */
  readonly certificate: string;
}

export interface ClientTls {
  /** Name or address that the certificate must have. */
  readonly serverName: string;
  /** CA certificates that may sign it, as PEM; undefined: none is verified (`curl -k`). */
  readonly authorities: string | undefined;
}

export interface Listener {
  readonly local: Endpoint;
  /** Refuses further connections; open ones continue. */
  close(): void;
}

/** A stream connection, as both sides have it. */
export interface Connection extends ByteStream {
  readonly local: Endpoint;
  readonly remote: Endpoint;
  /** Whether the client has verified, or skipped to verify, the certificate of the listener: both sides use TLS. */
  readonly isSecure: boolean;
}

export interface Datagram {
  readonly bytes: Uint8Array;
  readonly from: Endpoint;
  readonly to: Endpoint;
}

export interface DatagramSocket {
  readonly local: Endpoint;
  /** Datagrams to nobody are lost. */
  send(bytes: Uint8Array, to: Endpoint): void;
  close(): void;
}

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'SRV' | 'PTR';

/** The answer of a name server. */
export interface DnsAnswer {
  /** NXDOMAIN: no record of any type has the name. Without records, NOERROR means that it has records of other types. */
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL';
  readonly records: readonly DnsRecord[];
}

export interface DnsRecord {
  /** With the final dot: `web.default.svc.cluster.local.`. */
  readonly name: string;
  readonly type: RecordType;
  readonly ttlSeconds: number;
  /** An address, a name with its final dot, or `<priority> <weight> <port> <name>`. */
  readonly value: string;
}

/** The codes of Node and POSIX. */
export type NetworkErrorCode =
  | 'EADDRINUSE'
  | 'EADDRNOTAVAIL'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'EHOSTUNREACH'
  | 'EPIPE'
  | 'EPROTO'
  | 'ETIMEDOUT';

export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly code: NetworkErrorCode;

  constructor(code: NetworkErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
