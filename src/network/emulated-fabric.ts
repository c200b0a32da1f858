import type { Clock, Random } from '../env/index.ts';
import { parseIp } from '../meta/index.ts';
import type { ClusterState } from './cluster-state.ts';
import { queryClusterDns } from './dns/cluster-dns.ts';
import type { Fabric } from './fabric.ts';
import { HostPorts } from './host-ports.ts';
import {
  type Connection,
  type ConnectOptions,
  type Datagram,
  type DnsAnswer,
  type Endpoint,
  NetworkError,
  type RecordType,
} from './network-namespace.ts';
import { isAllowed } from './policies/network-policies.ts';
import { proxyServerAt } from './services/proxy-server.ts';
import { ServiceRouter, type Source } from './services/service-router.ts';
import { type Acceptor, type EmulatedNamespace, formatEndpoint, isLoopback } from './sockets/namespace.ts';
import { ReplyTable } from './sockets/reply-table.ts';
import { checkTls } from './tls.ts';

export interface FabricOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly state: ClusterState;
}

/** How long a client sends before it gives up (Linux, with 6 retries). */
const connectTimeoutMs = 127_000;

/** How many nodes may forward a packet (Linux). */
const initialTtl = 64;

/** Where a packet is delivered. */
interface Target {
  readonly namespace: EmulatedNamespace;
  readonly endpoint: Endpoint;
}

/** The destination of a packet, after Services and host ports. */
type Destination = Target | 'reject' | 'drop' | 'unreachable';

/** What accepts a connection. */
interface Server extends Target {
  readonly acceptor: Acceptor;
}

/** Connects namespaces by their addresses: loopback, Services, host ports, network policies, in this order. */
export class EmulatedFabric implements Fabric {
  readonly hostPorts: HostPorts = new HostPorts();
  readonly #options: FabricOptions;
  readonly #router: ServiceRouter;
  readonly #replies: ReplyTable;
  readonly #byAddress = new Map<string, EmulatedNamespace>();

  constructor(options: FabricOptions) {
    this.#options = options;
    this.#router = new ServiceRouter(options.state, options);
    this.#replies = new ReplyTable(options.clock);
  }

  add(namespace: EmulatedNamespace): void {
    for (const address of namespace.addresses) this.#byAddress.set(address, namespace);
  }

  remove(namespace: EmulatedNamespace): void {
    for (const address of namespace.addresses) if (this.#byAddress.get(address) === namespace) this.#byAddress.delete(address);
  }

  async connect(from: EmulatedNamespace, to: Endpoint, { signal, tls }: ConnectOptions): Promise<Connection> {
    signal?.throwIfAborted();
    const destination = this.#destinationOf(from, to, 'TCP');
    const problem = (code: 'ECONNREFUSED' | 'EHOSTUNREACH' | 'ETIMEDOUT', text: string): NetworkError =>
      new NetworkError(code, `dial tcp ${formatEndpoint(to)}: ${text}`);
    if (destination === 'drop') {
      await this.#options.clock.sleep(connectTimeoutMs, signal);
      throw problem('ETIMEDOUT', 'connect: connection timed out');
    }
    if (destination === 'unreachable') throw problem('EHOSTUNREACH', 'connect: no route to host');
    const server = (destination === 'reject' ? undefined : serverAt(destination)) ?? this.#proxyServer(from, to);
    if (!server) throw problem('ECONNREFUSED', 'connect: connection refused');
    const { namespace, endpoint: actual, acceptor } = server;
    if (tls) await checkTls(acceptor.options.tls, tls, this.#options.clock.nowMs());
    const client = { address: from.sourceFor(actual.address), port: from.acceptors.clientPort() };
    return namespace.accept(acceptor, from, { client, requested: to, actual, isSecure: tls !== undefined });
  }

  send(from: EmulatedNamespace, { bytes, from: source, to }: Datagram): void {
    const reply = this.#replies.take(source, to);
    const destination = reply ? this.#direct(from, to) : this.#destinationOf(from, to, 'UDP');
    if (typeof destination === 'string') return;
    const { namespace, endpoint } = destination;
    if (!reply && (endpoint.address !== to.address || endpoint.port !== to.port)) this.#replies.remember(endpoint, source, to);
    namespace.receivers.find(endpoint.address, endpoint.port)?.receive({ bytes, from: reply ?? source, to: endpoint });
  }

  ping(from: EmulatedNamespace, address: string): number | undefined {
    if (from.hasAddress(address)) return initialTtl;
    const { pod = '', node = this.#options.state.nodeOf(address) } = this.#byAddress.get(address)?.location ?? {};
    const traffic = { from: from.sourceFor(address), to: address, port: 0, protocol: 'ICMP' };
    if (node === undefined || !isAllowed(this.#options.state, traffic)) return undefined;
    // Each node on the way forwards the packets of its pods.
    const pods = [pod, from.location.pod].filter((one) => one !== '').length;
    return initialTtl - (node === from.location.node ? Math.floor(pods / 2) : pods);
  }

  async query(name: string, type: RecordType): Promise<DnsAnswer> {
    return queryClusterDns(this.#options.state, name, type);
  }

  #destinationOf(from: EmulatedNamespace, to: Endpoint, protocol: string): Destination {
    const { address } = to;
    const isOwn = from.hasAddress(address);
    const node = this.#nodeAt(from, address);
    if (isOwn && node === undefined) return { namespace: from, endpoint: to };
    const route = this.#router.route(to, protocol, this.#sourceOf(from, address), node);
    if (typeof route === 'string') return route;
    const actual = route ?? this.hostPorts.find(to, protocol, node) ?? to;
    if (isOwn && actual === to) return { namespace: from, endpoint: to };
    const destination = this.#direct(from, actual);
    if (typeof destination === 'string') return destination;
    const traffic = { from: from.sourceFor(actual.address), to: actual.address, port: actual.port, protocol };
    return isAllowed(this.#options.state, traffic) ? destination : 'drop';
  }

  /** The server of kube-proxy at a port of a node; undefined: there is none. */
  #proxyServer(from: EmulatedNamespace, to: Endpoint): Server | undefined {
    const { address, port } = to;
    const node = this.#nodeAt(from, address);
    const accept = node === undefined ? undefined : proxyServerAt(port, node, isLoopback(address), this.#options);
    return accept && { namespace: from, endpoint: to, acceptor: { options: { port }, accept } };
  }

  /** The node with an address; undefined: there is none. Node ports and host ports are those of nodes: a pod has its own loopback address. */
  #nodeAt(from: EmulatedNamespace, address: string): string | undefined {
    if (!from.hasAddress(address)) return this.#options.state.nodeOf(address);
    return from.location.pod === '' ? from.location.node : undefined;
  }

  #direct(from: EmulatedNamespace, endpoint: Endpoint): Destination {
    if (isLoopback(endpoint.address)) return { namespace: from, endpoint };
    const namespace = this.#byAddress.get(endpoint.address);
    if (namespace) return { namespace, endpoint };
    // The address of a node that runs nothing here refuses connections.
    return parseIp(endpoint.address) && this.#options.state.nodeOf(endpoint.address) !== undefined ? 'reject' : 'unreachable';
  }

  #sourceOf(from: EmulatedNamespace, to: string): Source {
    return { address: from.sourceFor(to), node: from.location.node };
  }
}

function serverAt({ namespace, endpoint }: Target): Server | undefined {
  const acceptor = namespace.acceptors.find(endpoint.address, endpoint.port);
  return acceptor && { namespace, endpoint, acceptor };
}
