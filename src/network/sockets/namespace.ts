import { createStreamPair } from '../../env/index.ts';
import { joinHostPort } from '../../meta/index.ts';
import type { Fabric } from '../fabric.ts';
import {
  type Connection,
  type ConnectOptions,
  type Datagram,
  type DatagramSocket,
  type DnsAnswer,
  type Endpoint,
  type Listener,
  type ListenOptions,
  NetworkError,
  type NetworkNamespace,
  type RecordType,
} from '../network-namespace.ts';
import { PortTable } from './port-table.ts';

/** A listener with its callback. */
export interface Acceptor {
  readonly options: ListenOptions;
  readonly accept: (connection: Connection) => void;
}

/** A socket with its callback. */
export interface Receiver {
  readonly receive: (datagram: Datagram) => void;
}

/** The place of a namespace in the cluster. */
export interface Location {
  readonly node: string;
  /** Empty for nodes. */
  readonly pod: string;
  readonly addresses: readonly string[];
}

/** The addresses of a new connection. */
export interface ConnectionEnds {
  readonly client: Endpoint;
  /** The address that the client has connected to: of a Service, perhaps. */
  readonly requested: Endpoint;
  /** The address that it leads to. */
  readonly actual: Endpoint;
  readonly isSecure: boolean;
}

/** A network namespace whose connections are pairs of streams in memory. */
export class EmulatedNamespace implements NetworkNamespace {
  readonly location: Location;
  readonly acceptors: PortTable<Acceptor> = new PortTable();
  readonly receivers: PortTable<Receiver> = new PortTable();
  readonly #fabric: Fabric;
  readonly #connections = new Set<Connection>();
  readonly #onClose: () => void;
  #isClosed = false;

  constructor(location: Location, fabric: Fabric, onClose: () => void) {
    this.location = location;
    this.#fabric = fabric;
    this.#onClose = onClose;
  }

  get addresses(): readonly string[] {
    return this.location.addresses;
  }

  listen(options: ListenOptions, accept: (connection: Connection) => void): Listener {
    this.#requireAddress(options);
    const acceptor: Acceptor = { options, accept };
    const port = this.acceptors.bind(options, acceptor);
    return { local: { address: options.address ?? '', port }, close: () => this.acceptors.release(port, acceptor) };
  }

  async connect(to: Endpoint, options: ConnectOptions = {}): Promise<Connection> {
    if (this.#isClosed) throw new NetworkError('EHOSTUNREACH', `dial tcp ${formatEndpoint(to)}: connect: network is unreachable`);
    return await this.#fabric.connect(this, to, options);
  }

  bind(options: ListenOptions, receive: (datagram: Datagram) => void): DatagramSocket {
    this.#requireAddress(options);
    const receiver: Receiver = { receive };
    const port = this.receivers.bind(options, receiver);
    const local = { address: options.address ?? '', port };
    return {
      local,
      send: (bytes, to) => this.#fabric.send(this, { bytes, from: { address: this.sourceFor(to.address), port }, to }),
      close: () => this.receivers.release(port, receiver),
    };
  }

  ping(address: string): number | undefined {
    return this.#isClosed ? undefined : this.#fabric.ping(this, address);
  }

  async query(name: string, type: RecordType): Promise<DnsAnswer> {
    return await this.#fabric.query(name, type);
  }

  close(): void {
    this.#isClosed = true;
    this.acceptors.clear();
    this.receivers.clear();
    for (const connection of this.#connections) connection.abort(new NetworkError('ECONNRESET', 'connection reset by peer'));
    this.#onClose();
  }

  hasAddress(address: string): boolean {
    return isLoopback(address) || this.addresses.includes(address);
  }

  /** The own address that packets to an address come from. */
  sourceFor(address: string): string {
    if (this.hasAddress(address)) return address;
    return this.addresses.find((one) => one.includes(':') === address.includes(':')) ?? this.addresses[0] ?? '127.0.0.1';
  }

  /** Both ends of a new connection to this namespace; the listener gets one, the client the other. */
  accept({ accept }: Acceptor, from: EmulatedNamespace, { client, requested, actual, isSecure }: ConnectionEnds): Connection {
    const [near, far] = createStreamPair(() => {
      this.#connections.delete(ours);
      from.#connections.delete(theirs);
    });
    const ours: Connection = { ...far, local: actual, remote: client, isSecure };
    const theirs: Connection = { ...near, local: client, remote: requested, isSecure };
    this.#connections.add(ours);
    from.#connections.add(theirs);
    accept(ours);
    return theirs;
  }

  #requireAddress({ address = '' }: ListenOptions): void {
    const isOwn = address === '' || address === '0.0.0.0' || address === '::' || this.hasAddress(address);
    if (!isOwn) throw new NetworkError('EADDRNOTAVAIL', `listen tcp ${address}: bind: cannot assign requested address`);
  }
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

export function formatEndpoint({ address, port }: Endpoint): string {
  return joinHostPort(address, port);
}
