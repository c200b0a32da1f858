/** The emulated network of a cluster: connections between pods, nodes and Services, and names. */
export type { ClusterNetwork, HostPort } from './cluster-network.ts';
export { createNetwork, type EmulatedNetwork, type NetworkOptions } from './create-network.ts';
export {
  type Connection,
  type Endpoint,
  NetworkError,
  type NetworkNamespace,
  type RecordType,
} from './network-namespace.ts';
export { resolveName } from './resolver.ts';
