import { createStreamPair } from '../../env/index.ts';
import {
  type ClusterNetwork,
  type Connection,
  type Datagram,
  type Endpoint,
  NetworkError,
  type NetworkNamespace,
} from '../../network/index.ts';

/** A network whose pods share their ports, and in which every name leads to the same address. */
export function createLoopback(): ClusterNetwork & {
  readonly namespace: NetworkNamespace;
  readonly opened: object[];
  readonly isClosed: () => boolean;
} {
  const ports = new Map<number, (connection: Connection) => void>();
  const sockets = new Map<number, (datagram: Datagram) => void>();
  const opened: object[] = [];
  let isClosed = false;
  const remote: Endpoint = { address: '10.244.0.9', port: 40_000 };
  const namespace: NetworkNamespace = {
    addresses: ['10.244.0.2'],
    listen({ port }, accept) {
      ports.set(port, accept);
      return { local: { address: '', port }, close: () => ports.delete(port) };
    },
    async connect({ address, port }) {
      const accept = ports.get(port);
      if (!accept) throw new NetworkError('ECONNREFUSED', 'connection refused');
      const [client, server] = createStreamPair();
      accept({ ...server, isSecure: false, local: { address, port }, remote });
      return { ...client, isSecure: false, local: remote, remote: { address, port } };
    },
    bind({ port }, receive) {
      const own = port === 0 ? remote.port : port;
      sockets.set(own, receive);
      return {
        local: { address: '', port: own },
        send: (bytes, to) => sockets.get(to.port)?.({ bytes, from: { address: remote.address, port: own }, to }),
        close: () => sockets.delete(own),
      };
    },
    ping: (address) => (address === '10.244.9.9' ? undefined : 64),
    query: async (name) =>
      name === 'api.ns.svc.cluster.local.'
        ? { code: 'NOERROR', records: [{ name, type: 'A', ttlSeconds: 5, value: '10.96.0.9' }] }
        : { code: 'NXDOMAIN', records: [] },
    close: () => {
      isClosed = true;
    },
  };
  return {
    openPod(pod) {
      opened.push(pod);
      return namespace;
    },
    hostOf: () => namespace,
    namespace,
    opened,
    isClosed: () => isClosed,
  };
}
