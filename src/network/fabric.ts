import type { Connection, ConnectOptions, Datagram, DnsAnswer, Endpoint, RecordType } from './network-namespace.ts';
import type { EmulatedNamespace } from './sockets/namespace.ts';

/** What connects the namespaces of a cluster. */
export interface Fabric {
  connect(from: EmulatedNamespace, to: Endpoint, options: ConnectOptions): Promise<Connection>;
  send(from: EmulatedNamespace, datagram: Datagram): void;
  ping(from: EmulatedNamespace, address: string): number | undefined;
  query(name: string, type: RecordType): Promise<DnsAnswer>;
}
