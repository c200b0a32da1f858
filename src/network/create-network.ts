import { type ApiClient, InformerFactory } from '../client/index.ts';
import type { Clock, Random } from '../env/index.ts';
import type { Product } from '../meta/index.ts';
import type { Dialer } from '../streaming/index.ts';
import type { ClusterNetwork, HostNetwork, PodNetwork } from './cluster-network.ts';
import { EmulatedFabric } from './emulated-fabric.ts';
import { type Connection, type Endpoint, NetworkError, type ServerTls } from './network-namespace.ts';
import { EmulatedNamespace } from './sockets/namespace.ts';
import { createStateCaches } from './state-caches.ts';

export interface NetworkOptions {
  /** Reads Services, EndpointSlices, NetworkPolicies, namespaces, pods and nodes. */
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly product: Product;
  /** The API server, as pods reach it. */
  readonly server: ServerEndpoint;
  readonly signal: AbortSignal;
}

/** Where the API server listens in the network: the endpoint of the Service `kubernetes`. */
export interface ServerEndpoint extends Endpoint {
  /** Undefined: it serves plain HTTP. */
  readonly tls: ServerTls | undefined;
  readonly accept: (connection: Connection) => void;
}

/** The network of a cluster, and the connections of its API server. */
export interface EmulatedNetwork extends ClusterNetwork {
  readonly dialer: Dialer;
}

/** The address that the API server connects from. */
const serverAddress = '172.18.0.1';

/** Caches are filled from when the first namespace is opened. */
export function createNetwork({ client, clock, random, product, server, signal }: NetworkOptions): EmulatedNetwork {
  const serverNode = { name: '', addresses: [...new Set([serverAddress, server.address])] };
  const hosts = new Map<string, EmulatedNamespace>();
  let started: EmulatedFabric | undefined;
  const fabric = (): EmulatedFabric => {
    if (!started) {
      started = new EmulatedFabric({ clock, random, state: createStateCaches(new InformerFactory(client, clock, signal), product) });
      hostOf(serverNode).listen({ address: server.address, port: server.port, tls: server.tls }, server.accept);
    }
    return started;
  };
  const hostOf = ({ name, addresses }: HostNetwork): EmulatedNamespace => {
    const known = hosts.get(name);
    if (known && String(known.addresses) === String(addresses)) return known;
    const host: EmulatedNamespace = new EmulatedNamespace({ node: name, pod: '', addresses }, fabric(), () => {
      fabric().remove(host);
      if (hosts.get(name) === host) hosts.delete(name);
    });
    hosts.set(name, host);
    fabric().add(host);
    return host;
  };
  return {
    hostOf,
    openPod(pod: PodNetwork) {
      const removePorts = fabric().hostPorts.add(pod);
      const namespace: EmulatedNamespace = new EmulatedNamespace(
        { node: pod.node, pod: pod.uid, addresses: pod.addresses },
        fabric(),
        () => {
          removePorts();
          fabric().remove(namespace);
        },
      );
      fabric().add(namespace);
      return namespace;
    },
    dialer: {
      async dial({ host, port, tls }, dialSignal) {
        // Without a namespace no address answers.
        if (!started) throw new NetworkError('EHOSTUNREACH', `dial tcp ${host}:${port}: connect: no route to host`);
        return await hostOf(serverNode).connect({ address: host, port }, { signal: dialSignal, tls });
      },
    },
  };
}
