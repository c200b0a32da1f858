import type { PodNetwork } from './cluster-network.ts';
import type { Endpoint } from './network-namespace.ts';

interface Mapping {
  readonly node: string;
  readonly hostAddress: string;
  readonly port: number;
  readonly protocol: string;
  readonly pod: string;
  readonly to: Endpoint;
}

const everyAddress: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);

/** Ports of nodes that lead to pods (`hostPort`). */
export class HostPorts {
  readonly #mappings = new Set<Mapping>();

  /** The returned function removes the ports of the pod. */
  add({ uid, node, addresses, hostPorts }: PodNetwork): () => void {
    const [address = ''] = addresses;
    const added = hostPorts.map(({ hostAddress, hostPort, containerPort, protocol }) => ({
      node,
      hostAddress,
      port: hostPort,
      protocol,
      pod: uid,
      to: { address, port: containerPort },
    }));
    for (const mapping of added) this.#mappings.add(mapping);
    return () => {
      for (const mapping of added) this.#mappings.delete(mapping);
    };
  }

  /** The port of a pod behind a port of a node. */
  find({ address, port }: Endpoint, protocol: string, node: string | undefined): Endpoint | undefined {
    if (node === undefined) return undefined;
    for (const one of this.#mappings) {
      const isHere = one.node === node && (everyAddress.has(one.hostAddress) || one.hostAddress === address);
      if (isHere && one.port === port && one.protocol === protocol) return one.to;
    }
    return undefined;
  }
}
