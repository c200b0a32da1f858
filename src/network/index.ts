/** The emulated network of a cluster: connections between pods, nodes and Services, and names. */
export type { ClusterNetwork, HostPort } from './cluster-network.ts';
export { createNetwork, type EmulatedNetwork, type NetworkOptions } from './create-network.ts';
export { reverseName } from './dns/reverse-name.ts';
export {
  type Connection,
  type Datagram,
  type DatagramSocket,
  type DnsAnswer,
  type Endpoint,
  NetworkError,
  type NetworkNamespace,
  type RecordType,
  type ServerTls,
} from './network-namespace.ts';
export { type PolicyDecision, type PolicyState, policyDecisions } from './policies/network-policies.ts';
export { resolveName } from './resolver.ts';
export { formatEndpoint } from './sockets/namespace.ts';
